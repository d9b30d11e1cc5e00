-- The addresses from which gateways have proven in the last 30 days that they know their secret, and the names they go by. Read by each
-- node that hears RADIUS, so that a packet is matched without a search.

CREATE OR REPLACE FUNCTION public.door_radius_proven()
 RETURNS TABLE(gateway_id integer, customer_id integer, address text, nas_identifier text, mac_address text, by_address boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select a.gateway_id, a.customer_id, host(a.address), g.nas_identifier, g.mac_address::text, coalesce(g.ip_address = a.address, false)
  from gateway_addresses a
  join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
  where a.proven_at > now() - interval '30 days'
  order by a.since, a.id
$function$;

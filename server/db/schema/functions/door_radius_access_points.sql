-- Accepted access points of gateways that have proven an address in the last 30 days. A packet that names one is from its gateway; read by
-- each node that hears RADIUS.

CREATE OR REPLACE FUNCTION public.door_radius_access_points()
 RETURNS TABLE(gateway_id integer, mac_address text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select a.gateway_id, a.mac_address::text from access_points a
  where a.accepted_at is not null and exists (select from gateway_addresses p
    where p.customer_id = a.customer_id and p.gateway_id = a.gateway_id and p.proven_at > now() - interval '30 days')
$function$;

-- The guest, gateway and portal that a link to confirm an address belongs to, and whether it has been used or is over. Asked when a guest
-- opens the link; using it is another step.

CREATE OR REPLACE FUNCTION public.door_confirmation(token bytea)
 RETURNS TABLE(customer_id integer, gateway_id integer, property_id integer, gateway_name text, property_name text, public_id text, code_id bigint, guest_id bigint, address text, is_used boolean, is_over boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select k.customer_id, k.gateway_id, k.property_id, coalesce(g.name, g.nas_identifier), h.name, p.public_id,
    k.id, k.guest_id, k.address, k.used_at is not null, k.expires_at <= now()
  from one_time_codes k
  join gateways g on g.customer_id = k.customer_id and g.id = k.gateway_id and g.deleted_at is null
  join properties h on h.customer_id = k.customer_id and h.id = k.property_id and h.deleted_at is null
  join portals p on p.customer_id = k.customer_id and p.id = k.portal_id and p.deleted_at is null
  join customers c on c.id = k.customer_id and c.active and c.deleted_at is null
  where k.token_hash = token
$function$;

-- Notes a gateway that asks from an address of known ones and is none of them, at their properties: at most five, and 20 notes each. Shown
-- where gateways are set up.

CREATE OR REPLACE FUNCTION public.door_radius_unregistered(identifier text, mac macaddr, from_address inet)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into unregistered_gateways as u (customer_id, property_id, address, nas_identifier, mac_address)
    select g.customer_id, g.property_id, from_address, identifier, mac from (
      select distinct g.customer_id, g.property_id from gateway_addresses a
        join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
        where a.address = from_address and a.proven_at > now() - interval '30 days' limit 5) g
    where exists (select from unregistered_gateways k where k.customer_id = g.customer_id and k.property_id = g.property_id
        and k.address = from_address and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac
        and k.why = 'asks')
      or (select count(*) from unregistered_gateways k
        where k.customer_id = g.customer_id and k.property_id = g.property_id) < 20
  on conflict on constraint unregistered_gateways_asked_key do update set last_seen_at = now()
$function$;

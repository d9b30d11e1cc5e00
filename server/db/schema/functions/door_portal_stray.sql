-- Notes that guests came to this portal from a gateway that could not be told, and why, at the properties that may be meant: at most five,
-- those with no gateway heard for a day first, and ten notes each. Shown where gateways are set up.

CREATE OR REPLACE FUNCTION public.door_portal_stray(portal text, identifier text, mac macaddr, reason text, made integer, named integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into unregistered_gateways as u (customer_id, property_id, nas_identifier, mac_address, why, gateway_type_id, gateway_id)
    select h.customer_id, h.id, identifier, mac, reason, made, h.gateway_id from (
      select r.customer_id, r.id, g.id as gateway_id from portals p
        join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
        join properties_of_portal(p.customer_id, p.id) r on r.status = 'active'
        left join gateways g on g.customer_id = p.customer_id and g.id = named and g.property_id = r.id
        where p.public_id = portal and p.deleted_at is null and p.status = 'active' and (named is null or g.id is not null)
        order by exists (select from gateways o where o.customer_id = r.customer_id and o.property_id = r.id and o.deleted_at is null
          and o.last_seen_at > now() - interval '1 day'), r.id
        limit 5) h
    where exists (select from unregistered_gateways k where k.customer_id = h.customer_id and k.property_id = h.id
        and k.address is null and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac
        and k.why = reason and k.gateway_type_id is not distinct from made and k.gateway_id is not distinct from h.gateway_id)
      or (select count(*) from unregistered_gateways k
        where k.customer_id = h.customer_id and k.property_id = h.id and k.why <> 'asks') < 10
  on conflict on constraint unregistered_gateways_asked_key do update set last_seen_at = now()
$function$;

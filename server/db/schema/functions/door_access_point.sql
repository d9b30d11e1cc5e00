-- Notes an access point that a redirect names, at the gateways of the portal that it may belong to; it counts once a person accepts it.
-- Guests' redirects call it. A claim: at most 20 new ones a day at a gateway, and 5 gateways at once.

CREATE OR REPLACE FUNCTION public.door_access_point(portal text, mac macaddr, called text, made integer, named integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into access_points as t (customer_id, gateway_id, mac_address, name, last_seen_at)
    select k.customer_id, k.id, mac, called, now() from (
      select g.customer_id, g.id from portals p
        join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
        join gateways g on g.customer_id = p.customer_id and g.status = 'active' and g.deleted_at is null
          and case when named is null then g.gateway_type_id = made and g.mac_address is distinct from mac else g.id = named end
        join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null and h.status = 'active'
          and (named is not null or p.id = portal_of_property(h.customer_id, h.portal_id, h.group_id))
        where p.public_id = portal and p.deleted_at is null and p.status = 'active' and g.mac_address is distinct from mac
        order by g.id limit 5) k
    where exists (select from access_points o
        where o.customer_id = k.customer_id and o.gateway_id = k.id and o.mac_address = mac)
      or (select count(*) from access_points o where o.customer_id = k.customer_id and o.gateway_id = k.id
        and o.accepted_at is null and o.last_seen_at > now() - interval '1 day') < 20
  on conflict (customer_id, gateway_id, mac_address) do update
    set last_seen_at = now(), name = coalesce(t.name, excluded.name)
$function$;

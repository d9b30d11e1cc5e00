-- The portal of the property at which a controller's site has this access point, by make, site and MAC address. Asked where a make's
-- redirect names no portal.

CREATE OR REPLACE FUNCTION public.door_portal_at(made integer, site text, box macaddr)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.public_id from gateways g
  left join access_points a on a.customer_id = g.customer_id and a.gateway_id = g.id and a.mac_address = box and a.accepted_at is not null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.status = 'active' and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  join portals p on p.customer_id = h.customer_id and p.id = portal_of_property(h.customer_id, h.portal_id, h.group_id)
    and p.status = 'active' and p.deleted_at is null
  where g.gateway_type_id = made and g.status = 'active' and g.deleted_at is null
    and coalesce(nullif(g.settings ->> 'site', ''), 'default') = site and (a.id is not null or g.mac_address = box)
  order by coalesce(a.accepted_at, g.created_at), g.id limit 1
$function$;

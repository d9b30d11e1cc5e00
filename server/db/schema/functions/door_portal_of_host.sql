-- The portal of the gateway whose own portal host has this label. Asked for guests' pages under PORTAL_HOSTS.

CREATE OR REPLACE FUNCTION public.door_portal_of_host(label text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.public_id from gateways g
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.status = 'active' and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  join portals p on p.customer_id = h.customer_id and p.id = portal_of_property(h.customer_id, h.portal_id, h.group_id)
    and p.status = 'active' and p.deleted_at is null
  where g.portal_label = label and g.status = 'active' and g.deleted_at is null
$function$;

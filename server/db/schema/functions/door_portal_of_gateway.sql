-- The portal of a gateway's property, and the names by which an address of its page says which gateway it is. Asked when RADIUS answers
-- with the address of a page.

CREATE OR REPLACE FUNCTION public.door_portal_of_gateway(gateway_id integer)
 RETURNS TABLE(public_id text, portal_label text, nas_identifier text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.public_id, g.portal_label, g.nas_identifier from gateways g
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.status = 'active' and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  join portals p on p.customer_id = h.customer_id and p.id = portal_of_property(h.customer_id, h.portal_id, h.group_id)
    and p.status = 'active' and p.deleted_at is null
  where g.id = gateway_id and g.status = 'active' and g.deleted_at is null
$function$;

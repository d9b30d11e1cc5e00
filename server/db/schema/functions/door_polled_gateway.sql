-- The active gateway of a make that fetches its guests and calls itself asks_as, at the gateways of this portal's customer. Asked each time
-- that such a box polls.

CREATE OR REPLACE FUNCTION public.door_polled_gateway(portal text, made integer, asks_as text)
 RETURNS TABLE(customer_id integer, id integer, property_id integer, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier)
  from portals p
  join gateways g on g.customer_id = p.customer_id and g.gateway_type_id = made and g.status = 'active' and g.deleted_at is null
  join gateway_controllers s on s.customer_id = g.customer_id and s.gateway_id = g.id and asks_as = any(s.polls_as)
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.status = 'active' and h.deleted_at is null
  join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
  where p.public_id = portal and p.deleted_at is null
  order by array_position(s.polls_as, asks_as), g.id limit 1
$function$;

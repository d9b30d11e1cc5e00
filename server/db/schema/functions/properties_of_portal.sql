-- The properties that show a portal: those that have it, and those without one in groups that do.

CREATE OR REPLACE FUNCTION public.properties_of_portal(customer integer, portal integer)
 RETURNS SETOF properties
 LANGUAGE sql
 STABLE
AS $function$
  select p.* from public.properties p where p.customer_id = customer and p.portal_id = portal and p.deleted_at is null
  union all
  select p.* from public.groups g
  join public.properties p on p.customer_id = g.customer_id and p.group_id = g.id and p.portal_id is null and p.deleted_at is null
  where g.customer_id = customer and g.portal_id = portal and g.deleted_at is null
$function$
;

grant execute on function properties_of_portal(integer,integer) to foyer_app;

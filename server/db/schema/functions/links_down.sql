-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.links_down(customer integer, which integer[])
 RETURNS TABLE(property_id integer, name text, since timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.id, coalesce(i.name, k.name), l.since
  from properties p
  join property_interfaces i on i.customer_id = customer and (i.property_id = p.id or i.group_id = p.group_id)
    and i.active and i.deleted_at is null
  join property_links l on l.customer_id = customer and l.property_interface_id = i.id and l.state = 'down'
  join property_interface_types k on k.id = i.property_interface_type_id
  where p.customer_id = customer and p.id = any (which)
$function$
;

grant execute on function links_down(integer,integer[]) to foyer_app;

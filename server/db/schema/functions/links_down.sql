-- The properties, of those asked, whose link to their system is down, or from which nothing was heard for as many hours as its settings
-- say; by which interface, and since when. One of a group or customer counts where that has one property. Asked for the state of a
-- property.

CREATE OR REPLACE FUNCTION public.links_down(customer integer, which integer[])
 RETURNS TABLE(property_id integer, name text, since timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with wrong as (
    select coalesce(i.name, k.name) as name, i.property_id, i.group_id, i.owner_package_id,
      case when l.state = 'down' then l.since else l.heard_at end as since
    from property_links l
    join property_interfaces i on i.customer_id = customer and i.id = l.property_interface_id and i.active and i.deleted_at is null
    join property_interface_types k on k.id = i.property_interface_type_id
    where l.customer_id = customer and (l.state = 'down' or l.state = 'up'
      and l.heard_at < now() - make_interval(hours => nullif(i.settings ->> 'silent_hours', '')::numeric::integer)))
  select p.id, w.name, w.since
  from wrong w
  join properties p on p.customer_id = customer and p.id = any (which) and p.id = coalesce(w.property_id, (
    select min(o.id) from properties o
    where o.customer_id = customer and o.deleted_at is null and o.active
      and case when w.group_id is not null then o.group_id = w.group_id
        when w.owner_package_id is not null then o.package_id = w.owner_package_id else true end
    having count(*) = 1))
$function$
;

grant execute on function links_down(integer,integer[]) to foyer_app;

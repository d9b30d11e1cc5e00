-- Property interfaces of these types that no node holds a connection to, in any order, at most 200. A node takes some of them; a hold that
-- was not renewed is over.

CREATE OR REPLACE FUNCTION public.door_free_links(types integer[])
 RETURNS TABLE(customer_id integer, id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id from property_interfaces i
  left join property_links l on l.customer_id = i.customer_id and l.property_interface_id = i.id
  where i.property_interface_type_id = any (types) and i.active and i.deleted_at is null and i.host is not null
    and (l.held_until is null or l.held_until < now())
  order by random() limit 200
$function$;

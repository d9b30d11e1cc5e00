-- Property interfaces of systems that are polled, and that no work is planned for, at most 500. The scheduler plans it.

CREATE OR REPLACE FUNCTION public.door_unasked_interfaces(types integer[], work text)
 RETURNS TABLE(customer_id integer, id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id from property_interfaces i
  where i.property_interface_type_id = any (types) and i.active and i.deleted_at is null
    and not exists (select from due_work d where d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id)
  order by i.id limit 500
$function$;

-- Connections with settings of their own that nothing is planned for, at most 1000. The scheduler plans their check; those without consent
-- are left.

CREATE OR REPLACE FUNCTION public.door_due_connections(work text)
 RETURNS TABLE(customer_id integer, about_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id from connections i
  join customers c on c.id = i.customer_id and c.active and c.deleted_at is null
  where i.own_id is null and i.deleted_at is null and i.active and not i.needs_reconnect
    and not exists (select from due_work d where d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id)
  order by i.id limit 1000
$function$;

-- Customers with receivers of schedules who are to be asked whether they want them.

CREATE OR REPLACE FUNCTION public.door_unasked_receivers(rows_max integer)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct r.customer_id from report_receivers r
  join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.asked_at is null and r.confirmed_at is null and r.stopped_at is null and r.goes_until is not null
  limit rows_max
$function$;

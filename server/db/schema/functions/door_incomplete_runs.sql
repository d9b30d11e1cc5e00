-- Reports whose figures were incomplete when they were made, and that are to be looked at again by a moment.

CREATE OR REPLACE FUNCTION public.door_incomplete_runs(moment timestamp with time zone, rows_max integer)
 RETURNS TABLE(customer_id integer, run_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select r.customer_id, r.id from report_runs r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.look_again_at <= moment order by r.look_again_at limit rows_max
$function$;

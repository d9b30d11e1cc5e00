-- Scheduled reports that are due at a moment, the earliest first. Drafts and paused ones are not.

CREATE OR REPLACE FUNCTION public.door_due_reports(moment timestamp with time zone, rows_max integer)
 RETURNS TABLE(customer_id integer, report_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select r.customer_id, r.id from reports r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.next_run_at <= moment and r.deleted_at is null and r.active and not r.draft and r.paused_at is null
  order by r.next_run_at limit rows_max
$function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_stalled_runs(stalled_s integer, rows_max integer)
 RETURNS TABLE(customer_id integer, run_id integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update report_runs r set touched_at = now(), outcome = 'queued', progress = null
  where r.id in (select s.id from report_runs s
    where s.outcome in ('queued', 'running') and s.touched_at < now() - make_interval(secs => stalled_s)
    order by s.touched_at limit rows_max for update skip locked)
  returning r.customer_id, r.id
$function$;

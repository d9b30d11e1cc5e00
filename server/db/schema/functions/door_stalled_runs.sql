-- Takes reports whose making has not moved for stalled_s seconds, as its node has gone, to be made anew. Those whose work is planned are
-- left.

CREATE OR REPLACE FUNCTION public.door_stalled_runs(stalled_s integer, rows_max integer)
 RETURNS TABLE(customer_id integer, run_id integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update report_runs r set touched_at = now(), outcome = 'queued', progress = null
  where r.id in (select s.id from report_runs s
    where s.outcome in ('queued', 'running') and s.touched_at < now() - make_interval(secs => stalled_s)
      -- One that is due has its turn, and its tries, however long it waits for that.
      and not exists (select from due_work d where d.customer_id = s.customer_id and d.kind = 'report_file' and d.about_id = s.id)
    order by s.touched_at limit rows_max for update skip locked)
  returning r.customer_id, r.id
$function$;

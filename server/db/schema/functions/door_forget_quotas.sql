-- Deletes what was counted for quotas whose time is over. Called by a job.

CREATE OR REPLACE FUNCTION public.door_forget_quotas()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from used_quotas where until < now()
$function$;

-- Ends a trial of the caller's customer. As end_trial.

CREATE OR REPLACE FUNCTION public.stop_trial(gateway integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$ select end_trial(app_customer_id(), gateway) $function$
;

grant execute on function stop_trial(integer) to foyer_app;

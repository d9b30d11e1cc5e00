-- Begins an hour in which a portal of the caller's customer is tried; returns its simulated gateway. As begin_trial.

CREATE OR REPLACE FUNCTION public.start_trial(property integer, called text, page text, ends timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$ select begin_trial(app_customer_id(), property, called, page, ends) $function$
;

grant execute on function start_trial(integer,text,text,timestamp with time zone) to foyer_app;

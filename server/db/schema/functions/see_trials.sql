-- Whether the rest of the transaction sees what trials write. For functions of the owner that must find a trial.

CREATE OR REPLACE FUNCTION public.see_trials(seen boolean)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select set_config('app.trials', case when seen then 'seen' else '' end, true)
$function$;

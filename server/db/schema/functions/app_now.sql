-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select now() + coalesce(nullif(current_setting('app.clock_ahead', true), '')::interval, interval '0')
$function$
;

grant execute on function app_now() to foyer_app;

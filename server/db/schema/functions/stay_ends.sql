-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.stay_ends(departs_on date, until_time time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when until_time is null then day_begins(departs_on + 1, zone) else (departs_on + until_time) at time zone zone end
$function$
;

grant execute on function stay_ends(date,time without time zone,text) to foyer_app;

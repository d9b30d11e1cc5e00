-- When a stay ends: at the time given on the day of departure, else when that day is over, by the property's clock.

CREATE OR REPLACE FUNCTION public.stay_ends(departs_on date, until_time time without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when until_time is null then day_begins(departs_on + 1, zone) else (departs_on + until_time) at time zone zone end
$function$
;

grant execute on function stay_ends(date,time without time zone,text) to foyer_app;

-- The date that clocks in a time zone show at a moment.

CREATE OR REPLACE FUNCTION public.local_day(instant timestamp with time zone, zone text)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select (instant at time zone zone)::date $function$
;

grant execute on function local_day(timestamp with time zone,text) to foyer_app;

-- Whether PostgreSQL knows this IANA name of a time zone; an unknown one is an error. Columns of time zones are checked by it.

CREATE OR REPLACE FUNCTION public.is_time_zone(zone text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select 'epoch'::timestamptz at time zone zone is not null $function$
;

grant execute on function is_time_zone(text) to foyer_app;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.is_time_zone(zone text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select 'epoch'::timestamptz at time zone zone is not null $function$
;

grant execute on function is_time_zone(text) to foyer_app;

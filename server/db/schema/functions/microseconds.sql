-- How long an interval is, exactly. Packed sessions have their moments so, from when they began.

CREATE OR REPLACE FUNCTION public.microseconds(of interval)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (extract(epoch from $1) * 1000000)::bigint
$function$;

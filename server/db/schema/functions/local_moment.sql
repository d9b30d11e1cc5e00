-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.local_moment(instant timestamp with time zone, zone text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select to_char(instant at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS') || case when minutes < 0 then '-' else '+' end
    || lpad((abs(minutes) / 60)::text, 2, '0') || ':' || lpad((abs(minutes) % 60)::text, 2, '0')
  from (select (extract(epoch from (instant at time zone zone) - (instant at time zone 'UTC')) / 60)::integer as minutes) as o
$function$
;

grant execute on function local_moment(timestamp with time zone,text) to foyer_app;

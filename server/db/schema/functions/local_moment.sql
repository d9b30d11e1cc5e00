-- A moment as clocks in a time zone show it, in ISO 8601 with the offset that is in force then. Asked by files of reports.

CREATE OR REPLACE FUNCTION public.local_moment(instant timestamp with time zone, zone text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select to_char(instant at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS')
    || case when instant at time zone zone < instant at time zone 'UTC'
      then '-' || to_char((instant at time zone 'UTC') - (instant at time zone zone), 'HH24:MI')
      else '+' || to_char((instant at time zone zone) - (instant at time zone 'UTC'), 'HH24:MI') end
$function$
;

grant execute on function local_moment(timestamp with time zone,text) to foyer_app;

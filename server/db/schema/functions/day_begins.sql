-- The moment at which clocks in a time zone first show a date. At a change of clocks that is not always midnight.

CREATE OR REPLACE FUNCTION public.day_begins(day date, zone text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  midnight constant timestamptz := day::timestamp at time zone 'UTC';
  before constant timestamptz := midnight
    - ((midnight - interval '24 hours') at time zone zone - (midnight - interval '24 hours') at time zone 'UTC');
  after constant timestamptz := midnight
    - ((midnight + interval '24 hours') at time zone zone - (midnight + interval '24 hours') at time zone 'UTC');
begin
  return least(
    case when local_day(before, zone) >= day then before end,
    case when local_day(after, zone) >= day then after end);
end $function$
;

grant execute on function day_begins(date,text) to foyer_app;

-- What a session used on each day, in seconds and bytes, of what it had used in all at the end of each. Counters that went back count for
-- nothing.

CREATE OR REPLACE FUNCTION public.session_parts(days jsonb)
 RETURNS TABLE(day date, seconds bigint, bytes_up bigint, bytes_down bigint)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select c.day, c.seconds - coalesce(lag(c.seconds) over (order by c.day), 0),
    c.bytes_up - coalesce(lag(c.bytes_up) over (order by c.day), 0),
    c.bytes_down - coalesce(lag(c.bytes_down) over (order by c.day), 0)
  from (
    select k.key::date as day, max((k.value -> 0)::bigint) over before as seconds, max((k.value -> 1)::bigint) over before as bytes_up,
      max((k.value -> 2)::bigint) over before as bytes_down
    from jsonb_each($1) k window before as (order by k.key)
  ) c
$function$
;

grant execute on function session_parts(jsonb) to foyer_app;

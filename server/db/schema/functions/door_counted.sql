-- Counts a try in a bucket that begins anew after window_s seconds, and returns how many there were. Asked where more tries are answered
-- more slowly, and none is refused.

CREATE OR REPLACE FUNCTION public.door_counted(bucket text, window_s integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into rate_limits as r (key, hits, expires_at) values (bucket, 1, now() + make_interval(secs => window_s))
  on conflict (key) do update set
    hits = case when r.expires_at <= now() then 1 else r.hits + 1 end,
    expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end
  returning hits
$function$;

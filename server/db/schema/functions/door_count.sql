-- Counts a try in a bucket, of which hits_max are allowed in window_s seconds from the first. Returns the seconds to wait; 0: go on.
-- Sign-ins, requests and links are limited by it.

CREATE OR REPLACE FUNCTION public.door_count(bucket text, hits_max integer, window_s integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into rate_limits as r (key, hits, expires_at) values (bucket, 1, now() + make_interval(secs => window_s))
  on conflict (key) do update set
    hits = case when r.expires_at <= now() then 1 else r.hits + 1 end,
    expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end
  returning case when hits > hits_max then greatest(1, ceil(extract(epoch from expires_at - now())))::integer else 0 end
$function$;

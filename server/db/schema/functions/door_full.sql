-- The seconds to wait where a bucket has had hits_max tries already; 0: go on. It counts nothing.

CREATE OR REPLACE FUNCTION public.door_full(bucket text, hits_max integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce((select greatest(1, ceil(extract(epoch from expires_at - now())))::integer
    from rate_limits where key = bucket and expires_at > now() and hits >= hits_max), 0)
$function$;

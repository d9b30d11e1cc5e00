-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_full(bucket text, hits_max integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce((select greatest(1, ceil(extract(epoch from expires_at - now())))::integer
    from rate_limits where key = bucket and expires_at > now() and hits >= hits_max), 0)
$function$;

-- Takes back a try that door_count has counted, where it ended without having failed.

CREATE OR REPLACE FUNCTION public.door_uncount(bucket text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update rate_limits set hits = greatest(0, hits - 1) where key = bucket
$function$;

-- Empties a bucket of tries, after one that was right.

CREATE OR REPLACE FUNCTION public.door_forgive(bucket text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from rate_limits where key = bucket
$function$;

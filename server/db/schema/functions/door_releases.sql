-- The releases that have served this database, and since when. Asked by nodes to know which former release may still run.

CREATE OR REPLACE FUNCTION public.door_releases()
 RETURNS TABLE(version text, serves_since text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select r.version, r.serves_since from releases as r
$function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_key_ids()
 RETURNS bytea[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select key_ids from installation
$function$;

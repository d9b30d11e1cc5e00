-- The ids of the secret keys in use, the one that seals first. Asked by running nodes now and then, so that a changed key reaches them
-- without a restart.

CREATE OR REPLACE FUNCTION public.door_key_ids()
 RETURNS bytea[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select key_ids from installation
$function$;

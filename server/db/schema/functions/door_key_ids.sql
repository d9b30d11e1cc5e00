-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.door_key_ids()
 RETURNS bytea[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select key_ids from installation
$function$;

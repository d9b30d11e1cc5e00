-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.door_migrations()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select name::text from kysely_migration order by name
$function$;

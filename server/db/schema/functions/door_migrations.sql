-- The migrations that this database has been through, in order. Asked by each node when it starts, with whichever login it has.

CREATE OR REPLACE FUNCTION public.door_migrations()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select name::text from kysely_migration order by name
$function$;

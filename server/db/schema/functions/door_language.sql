-- The language that a person has chosen; null: none yet.

CREATE OR REPLACE FUNCTION public.door_language(login integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select l.language from logins l where l.id = login
$function$;

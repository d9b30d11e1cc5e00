-- Whether nobody has proven yet that the address of this login is theirs.

CREATE OR REPLACE FUNCTION public.door_is_unproven(login integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from logins l where l.id = login and l.confirmed_at is null)
$function$;

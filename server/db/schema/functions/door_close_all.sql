-- Ends all sessions of a login: signing out everywhere, and the removal of a second factor.

CREATE OR REPLACE FUNCTION public.door_close_all(login integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from sessions where login_id = login
$function$;

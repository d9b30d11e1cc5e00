-- Ends one session of a login by its handle, as a person asks for on their own sign-in page. Returns whether there was one.

CREATE OR REPLACE FUNCTION public.door_end(login integer, session text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with ended as (delete from sessions where login_id = login and handle::text = session returning 1)
  select exists (select from ended)
$function$;

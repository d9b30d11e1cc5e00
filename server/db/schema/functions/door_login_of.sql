-- The address and the password's hash of a login, asked when somebody signed in gives the password again.

CREATE OR REPLACE FUNCTION public.door_login_of(login integer)
 RETURNS TABLE(email text, password_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select email, password_hash from logins where id = login
$function$;

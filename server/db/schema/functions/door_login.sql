-- The login with this address, and its password's hash, which the node checks. Asked at a sign-in, and by the command that removes a second
-- factor.

CREATE OR REPLACE FUNCTION public.door_login(address text)
 RETURNS TABLE(login_id integer, password_hash text, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select id, password_hash, name from logins where email = lower(address)
$function$;

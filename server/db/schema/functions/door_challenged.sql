-- Counts a try at the second factor of a sign-in, of tries_max, and returns whose it is; no row: too many, or over.

CREATE OR REPLACE FUNCTION public.door_challenged(token bytea, tries_max integer)
 RETURNS TABLE(login_id integer, user_id integer, email text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update sign_in_challenges c set tries = tries + 1 from logins l
  where c.token_hash = token and c.expires_at > now() and c.tries < tries_max and l.id = c.login_id
  returning c.login_id, c.user_id, l.email
$function$;

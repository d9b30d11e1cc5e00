-- The password was given again in the session with this token.

CREATE OR REPLACE FUNCTION public.door_prove(token bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update sessions set proven_at = now() where token_hash = token
$function$;

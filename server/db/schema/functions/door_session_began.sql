-- When the session with this token began: what it was switched from included, and therefore one and the same for its whole life.

CREATE OR REPLACE FUNCTION public.door_session_began(token bytea)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.created_at from sessions s where s.token_hash = token
$function$;

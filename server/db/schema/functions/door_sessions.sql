-- The live sessions of a login, the one used last first: for its own sign-in page, and for what is ended with them.

CREATE OR REPLACE FUNCTION public.door_sessions(login integer, idle_s integer)
 RETURNS TABLE(handle uuid, token_hash bytea, user_id integer, created_at timestamp with time zone, last_used_at timestamp with time zone, ip inet, user_agent text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.handle, s.token_hash, s.user_id, s.created_at, s.last_used_at, s.ip, s.user_agent from sessions s
  where s.login_id = login and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => idle_s)
  order by s.last_used_at desc, s.handle
$function$;

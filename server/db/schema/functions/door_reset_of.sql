-- Whose forgotten password a link is for; no row: it is used or over. Asked when the page is opened.

CREATE OR REPLACE FUNCTION public.door_reset_of(token bytea)
 RETURNS TABLE(login_id integer, name text, email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select l.id, l.name, l.email
  from password_resets r
  join logins l on l.id = r.login_id
  where r.token_hash = token and r.used_at is null and r.expires_at > now()
$function$;

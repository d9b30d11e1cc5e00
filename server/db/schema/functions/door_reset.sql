-- Sets a new password by the link of a forgotten one, once. Returns the login; null: the link is used or over. The link proves the address,
-- so what was made while it was unproven ends.

CREATE OR REPLACE FUNCTION public.door_reset(token bytea, new_hash text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  login integer;
begin
  update password_resets set used_at = now() where token_hash = token and used_at is null and expires_at > now() returning login_id into login;
  if login is null then return null; end if;
  perform door_end_unproven(login);
  perform door_change_password(login, new_hash, '');
  return login;
end $function$;

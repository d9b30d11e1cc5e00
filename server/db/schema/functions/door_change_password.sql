-- Sets the password of a login. All its sessions but the one with own_token end, and so do links of forgotten passwords and sign-ins that
-- wait for a second factor.

CREATE OR REPLACE FUNCTION public.door_change_password(login integer, new_hash text, own_token bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update logins set password_hash = new_hash, password_changed_at = now() where id = login;
  delete from sessions where login_id = login and token_hash <> own_token;
  delete from password_resets where login_id = login;
  delete from sign_in_challenges where login_id = login;
$function$;

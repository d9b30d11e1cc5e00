-- As door_admit, without when the password was given. Only nodes of the release before call it.

CREATE OR REPLACE FUNCTION public.door_session(token bytea, idle_s integer, requests_max integer, used boolean)
 RETURNS TABLE(login_id integer, wait_s integer, user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer, owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean, mails_wait boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  session sessions%rowtype;
begin
  select * into session from sessions s
    where s.token_hash = token and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => idle_s);
  if not found then return; end if;
  if used and session.last_used_at < now() - interval '1 minute' then
    update sessions set last_used_at = now() where token_hash = token;
  end if;
  return query
    select u.login_id, door_count('token:' || encode(token, 'hex'), requests_max, 60), u.user_id, u.customer_id, u.customer_name,
      u.group_id, u.property_id, u.owner_name, u.user_type_id, u.role, u.name, u.email, u.second_factor_due, u.mails_wait
    from acting_users u where u.login_id = session.login_id and u.user_id = session.user_id;
end $function$;

-- The live session with this token, and whether its password was given within proof_s seconds: at the sign-in, or again since. Asked by
-- each request of a user; counts it, of requests_max in a minute, and returns the seconds to wait. With used the session stays awake; it
-- sleeps after idle_s seconds.

CREATE OR REPLACE FUNCTION public.door_admit(token bytea, idle_s integer, requests_max integer, used boolean, proof_s integer)
 RETURNS TABLE(login_id integer, session uuid, proven boolean, wait_s integer, user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer, owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean, mails_wait boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  s sessions%rowtype;
begin
  select * into s from sessions
    where sessions.token_hash = token and expires_at > now() and last_used_at > now() - make_interval(secs => idle_s);
  if not found then return; end if;
  if used and s.last_used_at < now() - interval '1 minute' then
    update sessions set last_used_at = now() where sessions.token_hash = token;
  end if;
  return query
    select u.login_id, s.handle, coalesce(s.proven_at, s.created_at) > now() - make_interval(secs => proof_s),
      door_count('token:' || encode(token, 'hex'), requests_max, 60), u.user_id, u.customer_id, u.customer_name,
      u.group_id, u.property_id, u.owner_name, u.user_type_id, u.role, u.name, u.email, u.second_factor_due, u.mails_wait
    from acting_users u where u.login_id = s.login_id and u.user_id = s.user_id;
end $function$;

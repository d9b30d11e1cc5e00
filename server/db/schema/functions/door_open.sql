-- Opens a session of a login for one of its users, for lifetime_s seconds, and writes the log line of the sign-in. Returns false where the
-- user may not act any more. The token is kept as its hash alone.

CREATE OR REPLACE FUNCTION public.door_open(login integer, acting_user integer, token bytea, lifetime_s integer, address inet, agent text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  u record;
begin
  select * into u from door_users(login) d where d.user_id = acting_user;
  if not found then return false; end if;
  insert into sessions (token_hash, login_id, user_id, customer_id, expires_at, ip, user_agent)
    values (token, login, acting_user, u.customer_id, now() + make_interval(secs => lifetime_s), address, left(agent, 300));
  update logins set last_user_id = acting_user where id = login;
  update users set logged_in_at = now() where id = acting_user;
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name, ip, group_id, property_id)
    values (u.customer_id, u.user_id, u.name, u.email, 'login', 'users', u.user_id, u.name, address, u.group_id, u.property_id);
  delete from sessions where login_id = login and (expires_at < now() or last_used_at < now() - interval '1 day');
  return true;
end $function$;

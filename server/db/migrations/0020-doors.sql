-- The doors: what must be looked up before a customer is known. foyer_app may call these functions and read none of their tables.
--
-- Each runs as foyer_owner with a pinned search path, takes hashes instead of tokens, and answers only what its one
-- caller in the server's tenancy needs.

-- Counts a hit in a fixed window. Answers 0, or the seconds to wait when there were more than hits_max.
create function door_count(bucket text, hits_max integer, window_s integer) returns integer
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into rate_limits as r (key, hits, expires_at) values (bucket, 1, now() + make_interval(secs => window_s))
  on conflict (key) do update set
    hits = case when r.expires_at <= now() then 1 else r.hits + 1 end,
    expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end
  returning case when hits > hits_max then greatest(1, ceil(extract(epoch from expires_at - now())))::integer else 0 end
$$;

-- The seconds to wait when hits_max is already reached; counts nothing.
create function door_full(bucket text, hits_max integer) returns integer
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select greatest(1, ceil(extract(epoch from expires_at - now())))::integer
    from rate_limits where key = bucket and expires_at > now() and hits >= hits_max), 0)
$$;

create function door_forgive(bucket text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from rate_limits where key = bucket
$$;

-- The users that a login may act as: joined, active, and their owner still there. Last used first.
create function door_users(login integer)
returns table (user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer,
  owner_name text, user_type_id integer, role text, name text, email text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.id, u.customer_id, c.name, u.group_id, u.property_id, coalesce(g.name, p.name, c.name), u.user_type_id, t.role, u.name, u.email
  from users u
  join customers c on c.id = u.customer_id and c.active and c.deleted_at is null
  join user_types t on t.id = u.user_type_id
  left join groups g on g.customer_id = u.customer_id and g.id = u.group_id
  left join properties p on p.customer_id = u.customer_id and p.id = u.property_id
  left join logins l on l.id = u.login_id
  where u.login_id = login and u.active and not u.draft and u.deleted_at is null and u.package_id is null
    and (u.group_id is null or (g.deleted_at is null and g.id is not null))
    and (u.property_id is null or (p.deleted_at is null and p.id is not null))
  order by u.id = l.last_user_id desc nulls last, u.id
$$;

-- Who holds this token, right now. No row: nobody. `wait_s` above 0: too many requests of this token in this minute.
-- `used` is false for background polling, which does not keep a session alive.
create function door_session(token bytea, idle_s integer, requests_max integer, used boolean)
returns table (login_id integer, wait_s integer, user_id integer, customer_id integer, customer_name text, group_id integer,
  property_id integer, owner_name text, user_type_id integer, role text, name text, email text)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  session sessions%rowtype;
begin
  select * into session from sessions s
    where s.token_hash = token and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => idle_s);
  if not found then return; end if;
  if used and session.last_used_at < now() - interval '1 minute' then
    update sessions set last_used_at = now() where token_hash = token;
  end if;
  return query select session.login_id, door_count('token:' || encode(token, 'hex'), requests_max, 60), u.*
    from door_users(session.login_id) u where u.user_id = session.user_id;
end $$;

create function door_login(address text) returns table (login_id integer, password_hash text, name text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id, password_hash, name from logins where email = lower(address)
$$;

create function door_login_of(login integer) returns table (email text, password_hash text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select email, password_hash from logins where id = login
$$;

create function door_password(login integer, new_hash text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update logins set password_hash = new_hash where id = login
$$;

-- Opens a session as `acting_user`, which must be one of the login's users, and notes the login in the activity.
create function door_open(login integer, acting_user integer, token bytea, lifetime_s integer, address inet, agent text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

create function door_failed(login integer, address inet) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name, ip, group_id, property_id)
    select u.customer_id, u.user_id, u.name, u.email, 'failed_login', 'users', u.user_id, u.name, address, u.group_id, u.property_id
    from door_users(login) u limit 1
$$;

create function door_close(token bytea) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from sessions where token_hash = token
$$;

create function door_close_all(login integer) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from sessions where login_id = login
$$;

create function door_is_empty() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from customers)
$$;

-- Makes a customer with its first editor, starter packages, portal and MAC categories.
-- Null: closed (only_first and a customer exists). 0: the address already has a login.
create function door_sign_up(company text, person text, address text, password_hash text, only_first boolean)
returns table (login_id integer, user_id integer)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer integer;
  login integer;
  person_id integer;
begin
  perform pg_advisory_xact_lock(hashtext('foyer sign-up'));
  if only_first and exists (select from customers) then return; end if;
  insert into logins (email, password_hash, name) values (lower(address), password_hash, person)
    on conflict (email) do nothing returning id into login;
  if login is null then return query select 0, 0; return; end if;
  insert into customers (name, contact_email) values (company, lower(address)) returning id into customer;
  insert into users (customer_id, login_id, user_type_id, name, email) values (customer, login, 2, person, lower(address)) returning id into person_id;
  insert into packages (customer_id, name, volume_gb, speed_mbps, max_users, session_time_hrs, idle_timeout_hrs, recurs) values
    (customer, 'Free Wi-Fi', 1, 5, 2, 24, 1, 'daily'),
    (customer, 'Standard', 0, 20, 3, 24, 4, 'none'),
    (customer, 'Premium', 0, 100, 5, 168, 12, 'none');
  insert into portals (customer_id, slug, name, company_name, auth_method_ids) values (customer, 'welcome', 'Welcome', company, '{1,2}');
  insert into mac_categories (customer_id, name) select customer, t.name from mac_category_templates t order by t.id;
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name)
    values (customer, person_id, person, lower(address), 'create', 'customers', customer, company);
  return query select login, person_id;
end $$;

-- A forgotten password: keeps the token's hash and the customer in whose name the mail goes. No row: no such login.
create function door_forgot(address text, token bytea, lifetime_s integer, peer inet)
returns table (customer_id integer, name text, email text)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  login logins%rowtype;
begin
  select * into login from logins l where l.email = lower(address);
  if not found then return; end if;
  return query select u.customer_id, login.name, login.email from door_users(login.id) u limit 1;
  if not found then return; end if;
  delete from password_resets where login_id = login.id;
  insert into password_resets (token_hash, login_id, expires_at, ip) values (token, login.id, now() + make_interval(secs => lifetime_s), peer);
end $$;

-- Uses a reset up: sets the password and ends every session of the login. False: unknown, used or too old.
create function door_reset(token bytea, new_hash text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  login integer;
begin
  update password_resets set used_at = now() where token_hash = token and used_at is null and expires_at > now() returning login_id into login;
  if login is null then return false; end if;
  update logins set password_hash = new_hash where id = login;
  delete from sessions where login_id = login;
  delete from password_resets where login_id = login and token_hash <> token;
  return true;
end $$;

-- An open invitation, and the login that its address already has.
create function door_invitation(token bytea) returns table (user_id integer, email text, login_id integer, password_hash text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.user_id, i.email, l.id, l.password_hash
  from invitations i
  join users u on u.id = i.user_id and u.deleted_at is null and u.active
  left join logins l on l.email = i.email
  where i.token_hash = token and i.accepted_at is null and i.expires_at > now()
$$;

-- Joins the invited user to a login, made now (new_hash, person) when the address has none. 0: the invitation is no longer open.
create function door_accept(token bytea, new_hash text, person text) returns table (login_id integer, user_id integer)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  invitation invitations%rowtype;
  login integer;
begin
  update invitations set accepted_at = now() where token_hash = token and accepted_at is null and expires_at > now() returning * into invitation;
  if invitation.id is null then return; end if;
  select id into login from logins l where l.email = invitation.email;
  if login is null then
    insert into logins (email, password_hash, name) values (invitation.email, new_hash,
      coalesce(person, (select u.name from users u where u.id = invitation.user_id))) returning id into login;
  end if;
  update users set login_id = login, draft = false, name = coalesce(person, users.name) where id = invitation.user_id and deleted_at is null;
  if not found then return; end if;
  update invitations set accepted_at = now() where invitations.user_id = invitation.user_id and accepted_at is null;
  return query select login, invitation.user_id;
end $$;

-- Housekeeping, called by a job.
create function door_sweep() returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from rate_limits where expires_at < now();
  delete from sessions where expires_at < now();
  delete from password_resets where expires_at < now() - interval '1 day';
  delete from idempotency_keys where created_at < now() - interval '24 hours';
$$;

do $$
declare
  door regprocedure;
begin
  for door in select oid::regprocedure from pg_proc where proname like 'door\_%' loop
    execute format('grant execute on function %s to foyer_app', door);
  end loop;
end $$;

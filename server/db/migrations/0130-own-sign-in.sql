-- Own sign-in: sessions that their owner sees and ends one by one, the second factor, and the devices that a login knows.

-- How a session is called outside: its token's hash is for nobody to see.
alter table sessions add column handle uuid not null default gen_random_uuid() unique;

-- The second factor of a login: a secret shared with an app that shows a new code every half a minute (TOTP, RFC 6238).
create table second_factors (
  login_id integer primary key references logins on delete cascade,
  sealed_secret bytea not null,
  -- Null while it is set up: the first code has not been given yet.
  confirmed_at timestamptz,
  -- The half minute of the newest code that was taken: each works once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
-- For a lost telephone: each works once.
create table recovery_codes (
  login_id integer not null references logins on delete cascade,
  code_hash text not null,
  primary key (login_id, code_hash)
);
-- The password was right; the second factor is asked.
create table sign_in_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  login_id integer not null references logins on delete cascade,
  user_id integer not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index on sign_in_challenges (login_id);
create index on sign_in_challenges (expires_at);

-- Where a login has been used, by a mark that the browser keeps: a sign-in from elsewhere is told by mail.
create table login_devices (
  login_id integer not null references logins on delete cascade,
  device_hash bytea not null check (length(device_hash) = 32),
  last_used_at timestamptz not null default now(),
  primary key (login_id, device_hash)
);

alter table customers add column second_factor_required boolean not null default false;

-- Whoever is disabled or removed is signed out, and is not signed in again when that is taken back.
create function end_sessions_of_user() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from sessions where customer_id = new.customer_id and user_id = new.id;
  return null;
end $$;
create trigger sessions_end_with_user after update of active, deleted_at on users for each row
  when (old.active and not new.active or old.deleted_at is null and new.deleted_at is not null)
  execute function end_sessions_of_user();

-- As before, and whether the customer asks for a second factor that the login has not got.
drop function door_session(bytea, integer, integer, boolean);
drop function door_users(integer);
create function door_users(login integer)
returns table (user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer,
  owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.id, u.customer_id, c.name, u.group_id, u.property_id, coalesce(g.name, p.name, c.name), u.user_type_id, t.role, u.name, u.email,
    c.second_factor_required and not exists (select from second_factors f where f.login_id = login and f.confirmed_at is not null)
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
create function door_session(token bytea, idle_s integer, requests_max integer, used boolean)
returns table (login_id integer, wait_s integer, user_id integer, customer_id integer, customer_name text, group_id integer,
  property_id integer, owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean)
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

-- Opens a session as another of the login's users in place of the former one, whose beginning and end it keeps.
create function door_switch(login integer, acting_user integer, former bytea, token bytea, address inet, agent text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  session sessions%rowtype;
begin
  delete from sessions where token_hash = former and login_id = login and expires_at > now() returning * into session;
  if not found then return false; end if;
  if not door_open(login, acting_user, token, 0, address, agent) then return false; end if;
  update sessions set expires_at = session.expires_at, created_at = session.created_at where token_hash = token;
  return true;
end $$;

-- The live sessions of a login, the one used last first.
create function door_sessions(login integer, idle_s integer)
returns table (handle uuid, token_hash bytea, user_id integer, created_at timestamptz, last_used_at timestamptz, ip inet, user_agent text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.handle, s.token_hash, s.user_id, s.created_at, s.last_used_at, s.ip, s.user_agent from sessions s
  where s.login_id = login and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => idle_s)
  order by s.last_used_at desc, s.handle
$$;

-- False: the login has no such session.
create function door_end(login integer, session text) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with ended as (delete from sessions where login_id = login and handle::text = session returning 1)
  select exists (select from ended)
$$;

-- Sets another password and ends the other sessions; what was begun with the old one comes to nothing.
create function door_change_password(login integer, new_hash text, own_token bytea) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update logins set password_hash = new_hash where id = login;
  delete from sessions where login_id = login and token_hash <> own_token;
  delete from password_resets where login_id = login;
  delete from sign_in_challenges where login_id = login;
$$;

-- Uses a reset up, as before; answers the login, so that its owner can be told. Null: unknown, used or too old.
drop function door_reset(bytea, text);
create function door_reset(token bytea, new_hash text) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  login integer;
begin
  update password_resets set used_at = now() where token_hash = token and used_at is null and expires_at > now() returning login_id into login;
  if login is null then return null; end if;
  perform door_change_password(login, new_hash, '');
  return login;
end $$;

-- No row: none is set up, nor begun.
create function door_second_factor(login integer)
returns table (sealed_secret bytea, confirmed_at timestamptz, last_step bigint, recovery_codes_left integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select f.sealed_secret, f.confirmed_at, f.last_step, (select count(*)::integer from recovery_codes c where c.login_id = login)
  from second_factors f where f.login_id = login
$$;

-- Begins to set one up, in place of one that was only begun. False: the login has one.
create function door_second_factor_begin(login integer, sealed bytea) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with begun as (
    insert into second_factors as f (login_id, sealed_secret) values (login, sealed)
    on conflict (login_id) do update set sealed_secret = excluded.sealed_secret, created_at = now() where f.confirmed_at is null
    returning 1)
  select exists (select from begun)
$$;

create function door_recovery_codes_set(login integer, hashes text[]) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from recovery_codes where login_id = login;
  insert into recovery_codes (login_id, code_hash) select login, unnest(hashes);
$$;

-- False: it was confirmed meanwhile, or begun anew.
create function door_second_factor_confirm(login integer, sealed bytea, step bigint, hashes text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update second_factors set confirmed_at = now(), last_step = step
    where login_id = login and sealed_secret = sealed and confirmed_at is null;
  if not found then return false; end if;
  perform door_recovery_codes_set(login, hashes);
  return true;
end $$;

create function door_second_factor_end(login integer) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from second_factors where login_id = login;
  delete from recovery_codes where login_id = login;
$$;

-- A code works once: false where this half minute's, or a later one, was taken.
create function door_take_step(login integer, step bigint) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with taken as (update second_factors set last_step = step where login_id = login and last_step < step returning 1)
  select exists (select from taken)
$$;

create function door_take_recovery_code(login integer, hash text) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with taken as (delete from recovery_codes where login_id = login and code_hash = hash returning 1)
  select exists (select from taken)
$$;

create function door_challenge(login integer, acting_user integer, token bytea, lifetime_s integer) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into sign_in_challenges (token_hash, login_id, user_id, expires_at)
    values (token, login, acting_user, now() + make_interval(secs => lifetime_s))
$$;

-- Counts a try and answers whom it is about. No row: unknown, too old, or tried too often.
create function door_challenged(token bytea, tries_max integer) returns table (login_id integer, user_id integer, email text)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update sign_in_challenges c set tries = tries + 1 from logins l
  where c.token_hash = token and c.expires_at > now() and c.tries < tries_max and l.id = c.login_id
  returning c.login_id, c.user_id, l.email
$$;

-- False: somebody else has used it up.
create function door_challenge_met(token bytea) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with met as (delete from sign_in_challenges where token_hash = token returning 1)
  select exists (select from met)
$$;

-- Remembers the newest fifty devices. True: the login knows others, and not this one.
create function door_note_device(login integer, device bytea) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  knows_others boolean := exists (select from login_devices where login_id = login);
begin
  update login_devices set last_used_at = now() where login_id = login and device_hash = device;
  if found then return false; end if;
  insert into login_devices (login_id, device_hash) values (login, device) on conflict do nothing;
  delete from login_devices d where d.login_id = login and d.device_hash in (
    select o.device_hash from login_devices o where o.login_id = login order by o.last_used_at desc, o.device_hash offset 50);
  return knows_others;
end $$;

-- How many of a customer's people sign in, and how many of them without a second factor; no others than the caller's own.
create function people_without_second_factor() returns table (people integer, without integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*)::integer, count(*) filter (where f.login_id is null)::integer
  from users u left join second_factors f on f.login_id = u.login_id and f.confirmed_at is not null
  where u.customer_id = app_customer_id() and u.login_id is not null and u.active and not u.draft and u.deleted_at is null
$$;

create function own_second_factor(own_user integer) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from users u join second_factors f on f.login_id = u.login_id and f.confirmed_at is not null
    where u.customer_id = app_customer_id() and u.id = own_user)
$$;

create or replace function door_sweep() returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from rate_limits where expires_at < now();
  delete from sessions where expires_at < now();
  delete from password_resets where expires_at < now() - interval '1 day';
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from login_addresses where last_used_at < now() - interval '90 days';
  delete from login_devices where last_used_at < now() - interval '400 days';
  delete from sign_in_challenges where expires_at < now();
  delete from second_factors where confirmed_at is null and created_at < now() - interval '1 day';
$$;

do $$
declare
  opened regprocedure;
begin
  for opened in select oid::regprocedure from pg_proc where proname like 'door\_%' or proname in ('people_without_second_factor', 'own_second_factor') loop
    execute format('grant execute on function %s to foyer_app', opened);
  end loop;
end $$;

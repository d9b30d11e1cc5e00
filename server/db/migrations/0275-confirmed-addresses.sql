-- Confirmed addresses: whoever signs up shows that the address is their own by a link that is sent to it. Until then the mails
-- of a customer that they opened go to its own people alone; those to others wait.

-- Since when a login's address is known to be its owner's. Those of before are taken at their word.
alter table logins add column confirmed_at timestamptz;
update logins set confirmed_at = now();
-- Since when a customer's mails go to everybody.
alter table customers add column confirmed_at timestamptz;
update customers set confirmed_at = now();

-- The newest link of a login. It goes on working until it is too old: whoever presses twice is not told off.
create table address_confirmations (
  login_id integer primary key references logins on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index on address_confirmations (expires_at);

-- Since when a mail waits for the customer to be confirmed. No job sends it any more.
alter table outbox_mails add column held_at timestamptz;
create index on outbox_mails (held_at) where held_at is not null;

create or replace view acting_users as
  select u.login_id, u.id as user_id, u.customer_id, c.name as customer_name, u.group_id, u.property_id,
    coalesce(g.name, p.name, c.name) as owner_name, u.user_type_id, t.role, u.name, u.email,
    c.second_factor_required and not exists (
      select from second_factors f where f.login_id = u.login_id and f.confirmed_at is not null) as second_factor_due,
    c.confirmed_at is null as mails_wait
  from users u
  join customers c on c.id = u.customer_id and c.active and c.deleted_at is null
  join user_types t on t.id = u.user_type_id
  left join groups g on g.customer_id = u.customer_id and g.id = u.group_id
  left join properties p on p.customer_id = u.customer_id and p.id = u.property_id
  where u.active and not u.draft and u.deleted_at is null and u.package_id is null
    and (u.group_id is null or (g.deleted_at is null and g.id is not null))
    and (u.property_id is null or (p.deleted_at is null and p.id is not null));

-- Last used first.
drop function door_users(integer);
create function door_users(login integer)
returns table (user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer, owner_name text,
  user_type_id integer, role text, name text, email text, second_factor_due boolean, mails_wait boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.user_id, u.customer_id, u.customer_name, u.group_id, u.property_id, u.owner_name, u.user_type_id, u.role, u.name,
    u.email, u.second_factor_due, u.mails_wait
  from acting_users u left join logins l on l.id = u.login_id
  where u.login_id = login
  order by u.user_id = l.last_user_id desc nulls last, u.user_id
$$;

drop function door_session(bytea, integer, integer, boolean);
create function door_session(token bytea, idle_s integer, requests_max integer, used boolean)
returns table (login_id integer, wait_s integer, user_id integer, customer_id integer, customer_name text, group_id integer,
  property_id integer, owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean,
  mails_wait boolean)
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
  return query
    select u.login_id, door_count('token:' || encode(token, 'hex'), requests_max, 60), u.user_id, u.customer_id, u.customer_name,
      u.group_id, u.property_id, u.owner_name, u.user_type_id, u.role, u.name, u.email, u.second_factor_due, u.mails_wait
    from acting_users u where u.login_id = session.login_id and u.user_id = session.user_id;
end $$;

-- Makes a customer with its first editor, starter packages, portal and MAC categories. `own_hash` is what the password becomes,
-- or the hash that the address's login has and that the password fits. Whoever is the installation's first runs it, and is
-- taken at their word.
-- Null: closed (only_first and a customer exists). 0: the address has a login with another hash.
create or replace function door_sign_up(company text, person text, address text, own_hash text, only_first boolean)
returns table (login_id integer, user_id integer)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer integer;
  login integer;
  person_id integer;
begin
  perform pg_advisory_xact_lock(hashtext('foyer sign-up'));
  if only_first and exists (select from customers) then return; end if;
  insert into logins (email, password_hash, name, confirmed_at)
    values (lower(address), own_hash, person, case when only_first then now() end)
    on conflict (email) do nothing returning id into login;
  if login is null then
    select l.id into login from logins l where l.email = lower(address) and l.password_hash = own_hash;
  end if;
  if login is null then return query select 0, 0; return; end if;
  insert into customers (name, contact_email, confirmed_at)
    select company, lower(address), case when l.confirmed_at is not null then now() end from logins l where l.id = login
    returning id into customer;
  insert into users (customer_id, login_id, user_type_id, name, email) values (customer, login, 2, person, lower(address)) returning id into person_id;
  insert into packages (customer_id, name, volume_gb, speed_mbps, max_users, session_time_hrs, idle_timeout_hrs, recurs) values
    (customer, 'Free Wi-Fi', 1, 5, 2, 24, 1, 'daily'),
    (customer, 'Standard', 0, 20, 3, 24, 4, 'none'),
    (customer, 'Premium', 0, 100, 5, 168, 12, 'none');
  insert into portals (customer_id, slug, name, company_name, auth_method_ids) values (customer, 'welcome', 'Welcome', company, '{1,2}');
  insert into mac_categories (customer_id, name, blocks) select customer, t.name, t.blocks from mac_category_templates t order by t.id;
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name)
    values (customer, person_id, person, lower(address), 'create', 'customers', customer, company);
  return query select login, person_id;
end $$;

-- Of several links only the newest works. False: there is one already, and none is wanted in its place.
create function door_ask_confirmation(login integer, token bytea, lifetime_s integer, anew boolean) returns boolean
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with asked as (
    insert into address_confirmations as c (login_id, token_hash, expires_at)
    values (login, token, now() + make_interval(secs => lifetime_s))
    on conflict (login_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
      where anew or c.expires_at < now()
    returning 1)
  select exists (select from asked)
$$;

-- Whose link it is. Null: unknown, replaced or too old.
create function door_confirmed_login(token bytea) returns integer
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select login_id from address_confirmations where token_hash = token and expires_at > now()
$$;

-- Notes that a login's address is its owner's; answers the customers that still wait for it.
create function door_confirm_address(login integer) returns table (customer_id integer)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update logins set confirmed_at = now() where id = login and confirmed_at is null;
  return query select distinct u.customer_id from acting_users u where u.login_id = login and u.mails_wait;
end $$;

-- One step of forgetting links that are too old, and mails that waited too long: what they tell is over.
create function door_forget_held_mails(held_s integer, rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone integer;
begin
  delete from address_confirmations where expires_at < now();
  delete from outbox_mails m using (
    select o.id from outbox_mails o where o.held_at < now() - make_interval(secs => held_s) order by o.held_at limit rows_max) old
    where m.id = old.id;
  get diagnostics gone = row_count;
  return gone >= rows_max;
end $$;

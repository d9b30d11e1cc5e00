-- Known addresses: where a login has been used before. Guesses that come from elsewhere lock nobody out of there.

create table login_addresses (
  login_id integer not null references logins on delete cascade,
  -- An IPv4 address, or the /64 of an IPv6 address.
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (login_id, network)
);

create function door_knows(address text, from_network text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from logins l join login_addresses a on a.login_id = l.id
    where l.email = lower(address) and a.network = from_network)
$$;

-- Remembers where a login is used: the newest twenty, for 90 days (door_sweep).
create function door_note_network(login integer, from_network text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into login_addresses (login_id, network) values (login, from_network)
    on conflict (login_id, network) do update set last_used_at = now();
  delete from login_addresses a where a.login_id = login and a.network in (
    select o.network from login_addresses o where o.login_id = login order by o.last_used_at desc, o.network offset 20);
$$;

-- Takes one try back that came to nothing for a reason of ours.
create function door_uncount(bucket text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update rate_limits set hits = greatest(0, hits - 1) where key = bucket
$$;

-- How often something was tried in the present window, this time counted in.
create function door_counted(bucket text, window_s integer) returns integer
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into rate_limits as r (key, hits, expires_at) values (bucket, 1, now() + make_interval(secs => window_s))
  on conflict (key) do update set
    hits = case when r.expires_at <= now() then 1 else r.hits + 1 end,
    expires_at = case when r.expires_at <= now() then excluded.expires_at else r.expires_at end
  returning hits
$$;

create or replace function door_sweep() returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from rate_limits where expires_at < now();
  delete from sessions where expires_at < now();
  delete from password_resets where expires_at < now() - interval '1 day';
  delete from idempotency_keys where created_at < now() - interval '24 hours';
  delete from login_addresses where last_used_at < now() - interval '90 days';
$$;

grant execute on function door_knows(text, text), door_note_network(integer, text), door_uncount(text),
  door_counted(text, integer) to foyer_app;

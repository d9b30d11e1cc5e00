-- Which releases have upgraded this database, and the oldest whose nodes each of them leaves at work. Compared at every start.
create table releases (
  version text primary key check (version ~ '^\d+\.\d+\.\d+$'),
  serves_since text not null check (serves_since ~ '^\d+\.\d+\.\d+$'),
  upgraded_at timestamptz not null default now()
);

create function door_releases() returns table (version text, serves_since text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.version, r.serves_since from releases as r
$$;
grant execute on function door_releases() to foyer_app;

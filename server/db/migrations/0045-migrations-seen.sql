-- Which migrations ran, for a node whose login may not migrate: it must not work on tables that it does not know.
create function door_migrations() returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select name::text from kysely_migration order by name
$$;
grant execute on function door_migrations() to foyer_app;

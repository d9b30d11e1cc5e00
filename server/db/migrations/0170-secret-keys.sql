-- Secret keys: which of them all nodes seal with, so that one can be replaced by another while the program runs.

-- One row. What is made with a keyed hash (recovery codes) has a key of its own, which stays when the secret key is changed.
create table installation (
  id integer primary key check (id = 1),
  -- The ids of the keys that a node needs to open what there is; the first of them seals.
  key_ids bytea[] not null check (cardinality(key_ids) > 0),
  sealed_fingerprint_key bytea not null
);

-- What the installation keeps; made by the first node that starts. `former`: the key that made what is there already.
create function door_installation(key_id bytea, fresh bytea, former bytea)
returns table (key_ids bytea[], sealed_fingerprint_key bytea)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into installation values (1, array[key_id], case when exists (select from recovery_codes) then former else fresh end)
    on conflict (id) do update set id = 1
    returning installation.key_ids, installation.sealed_fingerprint_key
$$;

create function door_key_ids() returns bytea[]
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select key_ids from installation
$$;
grant execute on function door_installation(bytea, bytea, bytea), door_key_ids() to foyer_app;

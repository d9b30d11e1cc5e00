-- Connections: each stands in one table, of whatever kind it is. Kinds with a table of their own, which nodes of the release before write,
-- note theirs here: a trigger keeps both in step, and what was there before is noted by a backfill. A kind to come has no other.

create table connections (
  -- Lists in which those of the other tables stand by their own ids have these, too: they never meet.
  id integer generated always as identity (start with 1000000001) primary key,
  customer_id integer not null default app_customer_id() references customers,
  group_id integer,
  property_id integer,
  kind text not null,
  own_id integer,
  integration_type text not null,
  name text,
  settings jsonb not null default '{}',
  chosen boolean not null default true,
  connected_at timestamptz,
  synced_at timestamptz,
  last_error text,
  needs_reconnect boolean not null default false,
  failures integer not null default 0,
  active boolean not null default true,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (customer_id, id),
  unique (customer_id, kind, own_id),
  check (num_nonnulls(group_id, property_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('connections');
select make_list('connections', 'group_id', 'property_id');
comment on table connections is 'Connections to the systems of other companies, of every kind, and how each does.';
comment on column connections.kind is 'The word of its kind, as the program declares it.';
comment on column connections.own_id is 'The id by which the calls of its kind know it, in the table of its kind; null: the kind has neither.';
comment on column connections.settings is 'By the keys of the parameters of its provider. Secrets are not among them.';
comment on column connections.chosen is 'Whether a person has chosen what it is to, where there are several.';

create table connection_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  connection_id integer not null,
  key text not null,
  sealed_value bytea not null,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, connection_id, key),
  foreign key (customer_id, connection_id) references connections (customer_id, id) on delete cascade
);
select make_secret_table('connection_secrets', 'sealed_value');
comment on table connection_secrets is 'Secret settings of connections, sealed, by the keys of the parameters of their provider.';

create function connection_settings(connection integer) returns table (key text, sealed_value bytea)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.key, s.sealed_value from connection_secrets s
  where s.customer_id = app_customer_id() and s.connection_id = connection
$$;
grant execute on function connection_settings(integer) to foyer_app;

-- Those that nobody keeps in line yet.
create function door_due_connections(work text) returns table (customer_id integer, about_id integer)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.customer_id, i.id from connections i
  join customers c on c.id = i.customer_id and c.active and c.deleted_at is null
  where i.own_id is null and i.deleted_at is null and i.active and not i.needs_reconnect
    and not exists (select from due_work d where d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id)
  order by i.id limit 1000
$$;

-- Its arguments are the kind, and the column that says what a person has chosen.
create function note_connection() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from connections where customer_id = old.customer_id and kind = tg_argv[0] and own_id = old.id;
    return null;
  end if;
  insert into connections as c (customer_id, group_id, property_id, kind, own_id, integration_type, name, chosen, connected_at, synced_at,
      last_error, needs_reconnect, failures, active, created_at, deleted_at)
    values (new.customer_id, new.group_id, new.property_id, tg_argv[0], new.id, new.integration_type, new.name,
      to_jsonb(new) ->> tg_argv[1] is not null, new.connected_at, new.synced_at, new.last_error, new.needs_reconnect, new.failures,
      new.active, new.created_at, new.deleted_at)
    on conflict (customer_id, kind, own_id) do update set group_id = excluded.group_id, property_id = excluded.property_id,
      integration_type = excluded.integration_type, name = excluded.name, chosen = excluded.chosen,
      connected_at = excluded.connected_at, synced_at = excluded.synced_at, last_error = excluded.last_error,
      needs_reconnect = excluded.needs_reconnect, failures = excluded.failures, active = excluded.active,
      deleted_at = excluded.deleted_at;
  return null;
end $$;
create trigger noted_as_connections after insert or update or delete on accounting_integrations
  for each row execute function note_connection('accounting', 'organisation_id');

-- Webhooks: other programs are told what happens. Events stand for 30 days; each endpoint that hears one has a delivery of it.

-- group_id, property_id: whose it is; none: the customer's. It hears what happens in its owner's reach. paused_for: `failed` after days,
-- `gone` when it answered 410; it is not active then. failing_since: of the failures in a row.
create table webhooks (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  group_id integer,
  property_id integer,
  url text not null,
  events text[] not null,
  personal_data boolean not null default false,
  active boolean not null default true,
  paused_at timestamptz,
  paused_for text check (paused_for in ('failed', 'gone')),
  failing_since timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id) <= 1),
  check ((paused_at is null) = (paused_for is null)),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('webhooks');
create index on webhooks (customer_id, created_at desc, id desc);
create index on webhooks (customer_id, group_id) where group_id is not null;
create index on webhooks (customer_id, property_id) where property_id is not null;

-- sealed_former: for a day after a new secret was made, both sign.
create table webhook_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  webhook_id integer not null,
  sealed_secret bytea not null,
  sealed_former bytea,
  former_until timestamptz,
  unique (customer_id, id),
  unique (customer_id, webhook_id),
  foreign key (customer_id, webhook_id) references webhooks (customer_id, id) on delete cascade
);
select make_secret_table('webhook_secrets', 'sealed_secret', 'sealed_former');

-- What has happened to one object, counted: a gap tells that an event is missing.
create table event_sequences (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers (id),
  object text not null,
  object_id bigint not null,
  last bigint not null default 1,
  unique (customer_id, id),
  unique (customer_id, object, object_id)
);
select make_tenant_table('event_sequences');

-- data: ids and words, never what a guest entered; that is read when it is sent. guest_id: whom it is about, for an erasure.
create table events (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers (id),
  uuid uuid not null default gen_random_uuid(),
  type text not null,
  object text not null,
  object_id bigint not null,
  sequence bigint not null,
  group_id integer,
  property_id integer,
  guest_id integer,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('events');
create index on events (customer_id, created_at desc, id desc);
create index on events (customer_id, property_id, created_at desc, id desc) where property_id is not null;
create index on events (customer_id, group_id) where group_id is not null;
create index on events (customer_id, guest_id) where guest_id is not null;
create index on events (created_at);

-- answer: the first of what the receiver said. tries: those that counted.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers (id),
  webhook_id integer not null,
  event_id bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  status integer,
  answer text,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  constraint webhook_deliveries_once unique (customer_id, webhook_id, event_id),
  foreign key (customer_id, webhook_id) references webhooks (customer_id, id) on delete cascade,
  foreign key (customer_id, event_id) references events (customer_id, id) on delete cascade
);
select make_tenant_table('webhook_deliveries');
create index on webhook_deliveries (customer_id, webhook_id, created_at desc, id desc);
create index on webhook_deliveries (customer_id, event_id);
create index on webhook_deliveries (customer_id, created_at desc, id desc);

-- Records what has happened to some objects, and has it told to the webhooks that want it and reach it. happened: an array of
-- {id, property_id, group_id, guest_id, data}.
create function record_events(customer integer, kind text, about text, happened jsonb) returns void language sql
  set search_path = pg_catalog, public, pg_temp as $$
  with happened as materialized (
    select h.* from jsonb_to_recordset(record_events.happened) as h(id bigint, property_id integer, group_id integer, guest_id integer,
      data jsonb)),
  -- Always in the order of the objects, so that transactions which count the same do not deadlock.
  counted as (
    insert into event_sequences as s (customer_id, object, object_id)
    select customer, about, h.id from happened h group by h.id order by h.id
    on conflict (customer_id, object, object_id) do update set last = s.last + 1 returning s.object_id, s.last),
  recorded as (
    insert into events (customer_id, type, object, object_id, sequence, group_id, property_id, guest_id, data)
    select customer, kind, about, h.id, c.last, case when h.property_id is null then h.group_id end, h.property_id, h.guest_id,
      coalesce(h.data, '{}')
    from happened h join counted c on c.object_id = h.id order by h.id returning id, group_id, property_id),
  told as (
    insert into webhook_deliveries (customer_id, webhook_id, event_id)
    select customer, w.id, r.id from recorded r
    left join properties p on p.customer_id = customer and p.id = r.property_id
    join webhooks w on w.customer_id = customer and w.active and w.paused_at is null and w.deleted_at is null and kind = any (w.events)
      and case when w.property_id is not null then w.property_id = r.property_id
        when w.group_id is not null then w.group_id = coalesce(p.group_id, r.group_id) else true end
    returning id, webhook_id)
  insert into due_work (customer_id, kind, about_id, lane) select customer, 'webhook', t.id, 'webhook ' || t.webhook_id from told t
$$;
grant execute on function record_events(integer, text, text, jsonb) to foyer_app;

-- Whatever writes these tables (a person, a list, a job, a property's system), it is recorded.
create function note_account_events() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id)) as happened
      from new_rows n where n.deleted_at is null group by n.customer_id
    loop
      perform record_events(mine.customer_id, 'account.created', 'account', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id, 'data', jsonb_build_object(
      'why', case when n.deleted_at is not null then 'deleted' else 'disabled' end))) as happened
    from new_rows n join old_rows o on o.id = n.id where o.deleted_at is null and (n.deleted_at is not null or (o.active and not n.active))
    group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'account.ended', 'account', mine.happened);
  end loop;
  return null;
end $$;
create trigger accounts_made_events after insert on accounts referencing new table as new_rows for each statement
  execute function note_account_events();
create trigger accounts_changed_events after update on accounts referencing old table as old_rows new table as new_rows
  for each statement execute function note_account_events();

create function note_stay_events() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id, 'data',
        jsonb_build_object('room_id', n.room_id))) as happened
      from new_rows n where n.checked_in_at is not null and n.deleted_at is null group by n.customer_id
    loop
      perform record_events(mine.customer_id, 'stay.began', 'room_guest', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select c.customer_id, c.kind, jsonb_agg(jsonb_build_object('id', c.id, 'property_id', c.property_id, 'data', c.data)) as happened
    from (
      select n.customer_id, n.id, n.property_id, case
          when o.is_in and not n.is_in then 'stay.ended' when n.is_in and not o.is_in then 'stay.began'
          when n.is_in and n.room_id <> o.room_id then 'stay.moved' end as kind,
        case when o.is_in and n.is_in then jsonb_build_object('room_id', n.room_id, 'from_room_id', o.room_id)
          else jsonb_build_object('room_id', n.room_id) end as data
      from (select *, checked_in_at is not null and deleted_at is null as is_in from new_rows) n
      join (select *, checked_in_at is not null and deleted_at is null as is_in from old_rows) o on o.id = n.id) c
    where c.kind is not null group by c.customer_id, c.kind
  loop
    perform record_events(mine.customer_id, mine.kind, 'room_guest', mine.happened);
  end loop;
  return null;
end $$;
create trigger room_guests_made_events after insert on room_guests referencing new table as new_rows for each statement
  execute function note_stay_events();
create trigger room_guests_changed_events after update on room_guests referencing old table as old_rows new table as new_rows
  for each statement execute function note_stay_events();

create function note_consent_events() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.guest_id, 'guest_id', n.guest_id, 'property_id', n.property_id,
        'data', jsonb_build_object('purpose', n.purpose)) order by n.id) as happened, n.purpose
      from new_rows n where n.guest_id is not null and n.withdrawn_at is null group by n.customer_id, n.purpose
    loop
      perform record_events(mine.customer_id, 'guest.consent_given', 'guest', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, n.purpose, jsonb_agg(jsonb_build_object('id', n.guest_id, 'guest_id', n.guest_id, 'property_id',
      n.property_id, 'data', jsonb_build_object('purpose', n.purpose)) order by n.id) as happened
    from new_rows n join old_rows o on o.id = n.id
    where n.guest_id is not null and o.withdrawn_at is null and n.withdrawn_at is not null group by n.customer_id, n.purpose
  loop
    perform record_events(mine.customer_id, 'guest.consent_withdrawn', 'guest', mine.happened);
  end loop;
  return null;
end $$;
create trigger consent_records_made_events after insert on consent_records referencing new table as new_rows for each statement
  execute function note_consent_events();
create trigger consent_records_changed_events after update on consent_records referencing old table as old_rows new table as new_rows
  for each statement execute function note_consent_events();

create function note_run_events() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id)) as happened
    from new_rows n join old_rows o on o.id = n.id where o.approved_at is null and n.approved_at is not null group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'billing_run.approved', 'billing_run', mine.happened);
  end loop;
  return null;
end $$;
create trigger billing_runs_changed_events after update on billing_runs referencing old table as old_rows new table as new_rows
  for each statement execute function note_run_events();

create function note_report_events() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'group_id', n.group_id, 'property_id', n.property_id, 'data',
      jsonb_build_object('report_id', n.report_id))) as happened
    from new_rows n join old_rows o on o.id = n.id where o.outcome <> 'done' and n.outcome = 'done' group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'report.made', 'report_run', mine.happened);
  end loop;
  return null;
end $$;
create trigger report_runs_changed_events after update on report_runs referencing old table as old_rows new table as new_rows
  for each statement execute function note_report_events();

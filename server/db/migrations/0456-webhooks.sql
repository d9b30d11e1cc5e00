-- Webhooks: other programs are told what happens. Events stand for 30 days; each endpoint that hears one has a delivery of it.

-- group_id, property_id: whose it is; none: the customer's. It hears what happens in its owner's reach. paused_for: `failed` after days,
-- `gone` when it answered 410. failing_since: of the failures in a row.
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
  check (num_nonnulls(group_id, property_id) <= 1)
);
select make_tenant_table('events');
create index on events (customer_id, created_at desc, id desc);
create index on events (customer_id, property_id, created_at desc, id desc) where property_id is not null;
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

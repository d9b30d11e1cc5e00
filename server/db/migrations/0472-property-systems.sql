-- Property systems: what an interface needs to be told, how its link is, and what the system has last said of each stay.

-- By the keys of the kind's parameters. Secrets are not among them.
alter table property_interfaces add column settings jsonb not null default '{}';

create table property_interface_setting_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_interface_id integer not null,
  key text not null,
  sealed_value bytea not null,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, property_interface_id, key),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade
);
select make_secret_table('property_interface_setting_secrets', 'sealed_value');

-- The link of an interface. holder: the node that keeps it, until held_until. wants_all: our own record is new or may have lost something,
-- so all stays are to be asked for. pending: a whole list that would empty many rooms, as it was told, and how many guests it moves out.
create table property_links (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_interface_id integer not null,
  state text not null default 'never' check (state in ('never', 'up', 'down')),
  since timestamptz not null default now(),
  heard_at timestamptz,
  last_error text,
  holder uuid,
  held_until timestamptz,
  wants_all boolean not null default true,
  pending jsonb,
  pending_moves_out integer,
  unique (customer_id, id),
  unique (customer_id, property_interface_id),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade
);
select make_tenant_table('property_links');

-- What a system has last said of a stay, by its own key. told: null when it has ended. told_at: of the newest word, so that an older one
-- changes nothing. applied: what was written of it, with the ids of its guests; what differs from that was changed by hand. leaves_at:
-- when a departure that was told takes effect.
create table told_stays (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_interface_id integer not null,
  property_id integer not null,
  stay_key text not null,
  told jsonb,
  told_at timestamptz not null,
  applied jsonb,
  leaves_at timestamptz,
  unique (customer_id, id),
  unique (customer_id, property_interface_id, stay_key),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('told_stays');
create index on told_stays (customer_id, property_id);
create index on told_stays (told_at) where told is null;

-- Where the system says one thing and a person has said another. kept: a person has looked, and ours stays.
create table stay_differences (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_id integer not null,
  told_stay_id integer not null,
  room_guest_id integer,
  field text not null check (field in ('room', 'arrives_on', 'departs_on', 'until_time', 'presence', 'last_name', 'first_name', 'email',
    'mobile_number')),
  system text,
  ours text,
  kept boolean not null default false,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, told_stay_id) references told_stays (customer_id, id) on delete cascade,
  foreign key (customer_id, room_guest_id) references room_guests (customer_id, id) on delete cascade
);
select make_tenant_table('stay_differences');
create unique index stay_differences_once on stay_differences (customer_id, told_stay_id, coalesce(room_guest_id, 0), field);
create index on stay_differences (customer_id, property_id, created_at desc, id desc);
create index on stay_differences (customer_id, created_at desc, id desc) where not kept;
create index on stay_differences (customer_id, room_guest_id) where room_guest_id is not null;

-- What a system has posted, kept by its id so that it counts once. body: null when it has been taken in.
create table told_messages (
  id bigint generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_interface_id integer not null,
  message_id text not null,
  body jsonb,
  received_at timestamptz not null default now(),
  unique (customer_id, id),
  constraint told_messages_once unique (customer_id, property_interface_id, message_id),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade
);
select make_tenant_table('told_messages');
create index on told_messages (received_at);

-- The last records of a link in words. personal: the same with names.
create table property_link_records (
  id bigint generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  property_interface_id integer not null,
  sentence text not null,
  personal text,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade
);
select make_tenant_table('property_link_records');
create index on property_link_records (customer_id, property_interface_id, id desc);
create index on property_link_records (created_at);

-- An interface and what it was told, before a customer is known, by its uuid: for what its system posts.
create function door_interface(asked uuid) returns table (customer_id integer, id integer, type_id integer, settings jsonb, secrets json)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.customer_id, i.id, i.property_interface_type_id, i.settings,
    (select coalesce(json_object_agg(s.key, encode(s.sealed_value, 'base64')), '{}') from property_interface_setting_secrets s
     where s.customer_id = i.customer_id and s.property_interface_id = i.id)
  from property_interfaces i where i.uuid = asked and i.active and i.deleted_at is null
$$;

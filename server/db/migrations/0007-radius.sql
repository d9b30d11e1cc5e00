-- What the gateways report: sessions, decisions, how much of an allowance is used, and the sums that reports read.

-- One row is one stay online. A gateway may count its session ids from 1 again after a restart: the same session key then
-- begins a new generation. Counters are absolute and only grow; a session that stopped is not reopened.
-- Reports read what a session was at the time, so it keeps plain ids of group, package and category rather than references.
create table radius_sessions (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer not null,
  property_id integer not null,
  group_id integer,
  session_key text not null,
  generation integer not null default 1,
  acct_session_id text not null,
  auth_method_id integer references auth_methods,
  package_id integer,
  mac_category_id integer,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  identifier text,
  mac_address macaddr,
  ip inet,
  started_at timestamptz not null,
  last_seen_at timestamptz not null,
  stopped_at timestamptz,
  seconds bigint not null default 0,
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  termination_cause text,
  stop_inferred boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, gateway_id, session_key, generation),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, account_id) references accounts (customer_id, id) on delete set null (account_id),
  foreign key (customer_id, voucher_id) references vouchers (customer_id, id) on delete set null (voucher_id),
  foreign key (customer_id, device_id) references devices (customer_id, id) on delete set null (device_id),
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete set null (guest_id)
) with (fillfactor = 85);
create index on radius_sessions (customer_id, started_at desc, id desc);
create index on radius_sessions (customer_id, property_id, started_at desc, id desc);
create index on radius_sessions (customer_id, property_id, gateway_id) where stopped_at is null;
create index on radius_sessions (customer_id, account_id, started_at desc) where account_id is not null;
create index on radius_sessions (customer_id, voucher_id) where voucher_id is not null;
create index on radius_sessions (customer_id, device_id) where device_id is not null;
create index on radius_sessions (customer_id, guest_id) where guest_id is not null;
create index on radius_sessions (customer_id, mac_address, started_at desc);
select make_tenant_table('radius_sessions');

-- Every answer given to a gateway or at a portal, with its reason: what "why can this guest not get on?" is answered from.
create table radius_authorisations (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer,
  property_id integer,
  auth_method_id integer references auth_methods,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  identifier text,
  mac_address macaddr,
  accepted boolean not null,
  reason text not null,
  created_at timestamptz not null default now(),
  primary key (customer_id, id)
);
create index on radius_authorisations (customer_id, mac_address, created_at desc);
select make_tenant_table('radius_authorisations'), make_list('radius_authorisations', 'property_id');
revoke update, delete on radius_authorisations from foyer_app;

-- The devices on which an account or a voucher is in use, for the package's limit and for getting back on without a form.
create table guest_devices (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  account_id integer,
  voucher_id bigint,
  guest_id bigint,
  mac_address macaddr not null,
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique nulls not distinct (customer_id, account_id, voucher_id, guest_id, mac_address),
  check (num_nonnulls(account_id, voucher_id, guest_id) = 1),
  foreign key (customer_id, account_id) references accounts (customer_id, id) on delete cascade,
  foreign key (customer_id, voucher_id) references vouchers (customer_id, id) on delete cascade,
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete cascade
);
create index on guest_devices (customer_id, voucher_id) where voucher_id is not null;
create index on guest_devices (customer_id, guest_id) where guest_id is not null;
create index on guest_devices (customer_id, mac_address);
select make_tenant_table('guest_devices');

-- How much of its package's allowance each holder used in each period; packages that do not recur have one period.
create table usage_periods (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  starts_at timestamptz not null,
  seconds_used bigint not null default 0,
  bytes_used bigint not null default 0,
  unique (customer_id, id),
  unique nulls not distinct (customer_id, account_id, voucher_id, device_id, guest_id, starts_at),
  check (num_nonnulls(account_id, voucher_id, device_id, guest_id) = 1),
  foreign key (customer_id, account_id) references accounts (customer_id, id) on delete cascade,
  foreign key (customer_id, voucher_id) references vouchers (customer_id, id) on delete cascade,
  foreign key (customer_id, device_id) references devices (customer_id, id) on delete cascade,
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete cascade
) with (fillfactor = 85);
create index on usage_periods (customer_id, voucher_id) where voucher_id is not null;
create index on usage_periods (customer_id, device_id) where device_id is not null;
create index on usage_periods (customer_id, guest_id) where guest_id is not null;
select make_tenant_table('usage_periods');

-- The sum of a day's sessions in the property's own time zone, kept up with each accounting record.
create table session_days (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  day date not null,
  auth_method_id integer references auth_methods,
  package_id integer,
  sessions integer not null default 0,
  seconds bigint not null default 0,
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  unique (customer_id, id),
  unique nulls not distinct (customer_id, property_id, day, auth_method_id, package_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
) with (fillfactor = 85);
create index on session_days (customer_id, day);
select make_tenant_table('session_days');

-- Which rooms were taken each night, and the terms of that night. Written once, never changed: bills are made from it.
create table occupancy_nights (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  night date not null,
  total_units integer not null,
  occupied_units integer not null,
  occupied_room_ids integer[] not null default '{}',
  is_holiday boolean not null default false,
  minimum_billable_percentage numeric(5, 2) not null,
  holiday_billable_percentage numeric(5, 2) not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, property_id, night),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create index on occupancy_nights (customer_id, night);
select make_tenant_table('occupancy_nights');
revoke update, delete on occupancy_nights from foyer_app;

-- Who and what gets online at a property: rooms, the guests in them, guest accounts and devices.

create table mac_categories (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id)
);
create unique index mac_categories_name_unique on mac_categories (customer_id, lower(btrim(name))) where deleted_at is null;
select make_tenant_table('mac_categories'), make_list('mac_categories'), make_searchable('mac_categories');

create table rooms (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  number text not null,
  external_reference text,
  property_id integer not null,
  package_id integer,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || number || ' ' || coalesce(external_reference, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id)
);
create unique index rooms_number_unique on rooms (customer_id, property_id, lower(btrim(number))) where deleted_at is null;
create index on rooms (customer_id, package_id) where package_id is not null;
select make_tenant_table('rooms'), make_list('rooms', 'property_id'), make_searchable('rooms');

-- A guest whom a property interface brought carries its external_reference (the reservation) and the days of the stay.
create table room_guests (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  room_id integer not null,
  mobile_number text,
  first_name text,
  last_name text,
  email text,
  external_reference text,
  arrives_on date,
  departs_on date,
  in_dispute boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (lower(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '')
    || ' ' || coalesce(mobile_number, '') || ' ' || coalesce(external_reference, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, room_id) references rooms (customer_id, id) on delete cascade
);
create index on room_guests (customer_id, external_reference) where external_reference is not null and deleted_at is null;
select make_tenant_table('room_guests'), make_list('room_guests', 'room_id'), make_searchable('room_guests');

create table accounts (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  package_id integer,
  room_id integer,
  account_type_id integer not null default 1 references account_types,
  name text not null,
  email text,
  mobile_number text,
  username text,
  external_reference text,
  in_dispute boolean not null default false,
  expires_at timestamptz,
  logged_in_at timestamptz,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || coalesce(username, '') || ' ' || coalesce(email, '')
    || ' ' || coalesce(mobile_number, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id),
  foreign key (customer_id, room_id) references rooms (customer_id, id) on delete set null (room_id)
);
-- The name is what an import overwrites by; the username is what a guest types at one property's portal.
create unique index accounts_name_unique on accounts (customer_id, property_id, lower(btrim(name))) where deleted_at is null;
create unique index accounts_username_unique on accounts (customer_id, property_id, lower(btrim(username)))
  where deleted_at is null and username is not null;
create index on accounts (customer_id, package_id) where package_id is not null;
create index on accounts (customer_id, room_id) where room_id is not null;
select make_tenant_table('accounts'), make_list('accounts', 'property_id'), make_searchable('accounts');

-- Sealed with the installation's key; editors may read them, so they stand apart from `select *` but not out of reach.
create table account_passwords (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  account_id integer not null,
  sealed_password bytea not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, account_id),
  foreign key (customer_id, account_id) references accounts (customer_id, id) on delete cascade
);
select make_tenant_table('account_passwords');

create table devices (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  name text not null,
  external_reference text,
  mac_address macaddr not null,
  mac_category_id integer,
  package_id integer,
  room_id integer,
  accounting_contact_id integer,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || coalesce(external_reference, '') || ' ' || mac_address::text
    || ' ' || replace(mac_address::text, ':', ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, mac_category_id) references mac_categories (customer_id, id) on delete set null (mac_category_id),
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id),
  foreign key (customer_id, room_id) references rooms (customer_id, id) on delete set null (room_id)
);
create unique index devices_mac_address_unique on devices (customer_id, property_id, mac_address) where deleted_at is null;
create index on devices (customer_id, property_id, lower(btrim(name))) where deleted_at is null;
create index on devices (customer_id, mac_category_id) where mac_category_id is not null;
create index on devices (customer_id, package_id) where package_id is not null;
create index on devices (customer_id, room_id) where room_id is not null;
select make_tenant_table('devices'), make_list('devices', 'property_id'), make_searchable('devices');

-- Each file of accounts or devices, or zip of a portal, that somebody brought in, and what came of it.
create table imports (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer,
  user_id integer,
  kind text not null check (kind in ('accounts', 'devices', 'portal')),
  file_name text,
  outcome text not null check (outcome in ('running', 'done', 'failed')) default 'running',
  total integer not null default 0,
  duplicates integer not null default 0,
  problems jsonb,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete set null (user_id)
);
create index on imports (customer_id, user_id) where user_id is not null;
select make_tenant_table('imports'), make_list('imports', 'property_id');

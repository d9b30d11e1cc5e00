-- What a property's network and front desk are joined by: gateways and property interfaces, each with its secrets apart.

-- nas_identifier is how a gateway names itself to RADIUS; one name cannot belong to two customers.
create table gateways (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  gateway_type_id integer not null references gateway_types,
  name text,
  mac_address macaddr,
  ip_address inet,
  dns_name text,
  gateway_dns_setting text,
  username text,
  nas_identifier text not null unique default 'foyer-' || replace(gen_random_uuid()::text, '-', ''),
  counts_from_gateway_side boolean not null default false,
  last_seen_at timestamptz,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || coalesce(name, '') || ' ' || coalesce(dns_name, '') || ' ' || coalesce(mac_address::text, '')
    || ' ' || coalesce(host(ip_address), '') || ' ' || nas_identifier)) stored,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create unique index gateways_mac_address_unique on gateways (customer_id, mac_address) where deleted_at is null and mac_address is not null;
create index on gateways (ip_address) where deleted_at is null;
select make_tenant_table('gateways'), make_list('gateways', 'property_id'), make_searchable('gateways');

create table gateway_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  gateway_id integer not null,
  sealed_password bytea,
  sealed_radius_secret bytea,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, gateway_id),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade
);
select make_secret_table('gateway_secrets', 'sealed_password', 'sealed_radius_secret');

-- package_id is the package of the accounts that the interface makes. The owner, when it is a package, is owner_package_id.
create table property_interfaces (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_interface_type_id integer not null references property_interface_types,
  group_id integer,
  property_id integer,
  owner_package_id integer,
  package_id integer,
  name text,
  host text,
  port integer check (port between 1 and 65535),
  uuid uuid not null unique default gen_random_uuid(),
  sales_outlet text,
  check_account_in_dispute boolean not null default false,
  connected_at timestamptz,
  last_seen_at timestamptz,
  last_error text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || coalesce(name, '') || ' ' || coalesce(host, '') || ' ' || coalesce(sales_outlet, '')
    || ' ' || uuid::text)) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id, owner_package_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, owner_package_id) references packages (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id)
);
create index on property_interfaces (customer_id, owner_package_id) where owner_package_id is not null;
create index on property_interfaces (customer_id, package_id) where package_id is not null;
select make_tenant_table('property_interfaces'), make_list('property_interfaces', 'group_id', 'property_id'),
  make_searchable('property_interfaces');

create table property_interface_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_interface_id integer not null,
  sealed_credentials bytea not null,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, property_interface_id),
  foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade
);
select make_secret_table('property_interface_secrets', 'sealed_credentials');

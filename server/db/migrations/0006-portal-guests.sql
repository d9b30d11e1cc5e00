-- People who came through a portal: who they are, what they agreed to, and the codes and passes handed to them.

create table guests (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer,
  auth_method_id integer references auth_methods,
  name text,
  email text,
  mobile_number text,
  language text,
  visits integer not null default 1,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (lower(' ' || coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(mobile_number, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete set null (property_id)
);
create unique index guests_email_unique on guests (customer_id, lower(email)) where deleted_at is null and email is not null;
create unique index guests_mobile_number_unique on guests (customer_id, mobile_number)
  where deleted_at is null and mobile_number is not null and email is null;
select make_tenant_table('guests'), make_list('guests', 'property_id'), make_searchable('guests');

-- The exact words shown are kept with each consent. A withdrawal is a date on the row, never a deletion.
create table consent_records (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  guest_id bigint,
  portal_id integer,
  property_id integer,
  gateway_id integer,
  auth_method_id integer references auth_methods,
  purpose text not null check (purpose in ('terms', 'marketing_email', 'marketing_sms', 'profiling')),
  wording text not null,
  language text,
  method text not null check (method in ('checkbox', 'double_opt_in', 'api', 'import')),
  ip inet,
  mac_address macaddr,
  user_agent text,
  granted_at timestamptz not null default now(),
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_via text,
  synced_at timestamptz,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete cascade,
  foreign key (customer_id, portal_id) references portals (customer_id, id) on delete set null (portal_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete set null (property_id),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete set null (gateway_id)
);
create index on consent_records (customer_id, guest_id);
create index on consent_records (customer_id, portal_id) where portal_id is not null;
create index on consent_records (customer_id, gateway_id) where gateway_id is not null;
select make_tenant_table('consent_records'), make_list('consent_records', 'property_id');

-- Codes sent by SMS or e-mail: only a keyed hash is kept; ten minutes, five attempts, one alive for each address.
create table one_time_codes (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  portal_id integer,
  property_id integer,
  channel text not null check (channel in ('sms', 'email')),
  address text not null,
  code_hash bytea not null,
  mac_address macaddr,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  delivery text check (delivery in ('queued', 'sent', 'delivered', 'failed')),
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, portal_id) references portals (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create index on one_time_codes (customer_id, channel, address, created_at desc);
create index on one_time_codes (customer_id, portal_id);
create index on one_time_codes (customer_id, property_id);
create index on one_time_codes (expires_at);
select make_tenant_table('one_time_codes');

-- What the gateway is given instead of the guest's own secret: made by the portal, good once, for 90 seconds,
-- for one gateway and one device. RADIUS resolves it to the account, voucher, device or guest behind it.
create table access_passes (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  username text not null unique,
  sealed_password bytea not null,
  gateway_id integer not null,
  mac_address macaddr,
  auth_method_id integer not null references auth_methods,
  package_id integer,
  account_id integer,
  voucher_id bigint,
  device_id integer,
  guest_id bigint,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete cascade,
  foreign key (customer_id, account_id) references accounts (customer_id, id) on delete cascade,
  foreign key (customer_id, voucher_id) references vouchers (customer_id, id) on delete cascade,
  foreign key (customer_id, device_id) references devices (customer_id, id) on delete cascade,
  foreign key (customer_id, guest_id) references guests (customer_id, id) on delete cascade
);
create index on access_passes (customer_id, gateway_id);
create index on access_passes (customer_id, package_id) where package_id is not null;
create index on access_passes (customer_id, account_id) where account_id is not null;
create index on access_passes (customer_id, voucher_id) where voucher_id is not null;
create index on access_passes (customer_id, device_id) where device_id is not null;
create index on access_passes (customer_id, guest_id) where guest_id is not null;
create index on access_passes (expires_at);
select make_tenant_table('access_passes');

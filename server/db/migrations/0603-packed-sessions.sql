-- Sessions of former months, in a fifteenth of the room: an array for each of their columns, which PostgreSQL compresses, and a row for
-- some thousand sessions of a property.
create table packed_sessions (
  id bigint generated always as identity,
  customer_id integer not null references customers (id),
  property_id integer not null,
  began_at timestamptz not null,
  over_at timestamptz not null,
  session_ids bigint[] not null,
  gateway_ids integer[] not null,
  group_ids integer[] not null,
  acct_session_ids text[] not null,
  auth_method_ids integer[] not null,
  package_ids integer[] not null,
  mac_category_ids integer[] not null,
  account_ids integer[] not null,
  voucher_ids bigint[] not null,
  device_ids integer[] not null,
  guest_ids bigint[] not null,
  identifiers text[] not null,
  usernames text[] not null,
  mac_addresses macaddr[] not null,
  calling_stations text[] not null,
  ips inet[] not null,
  ipv6s text[] not null,
  started_ats timestamptz[] not null,
  last_seen_after bigint[] not null,
  stopped_after bigint[] not null,
  created_after bigint[] not null,
  accepted_after bigint[] not null,
  ends_after bigint[] not null,
  disconnect_asked_after bigint[] not null,
  disconnect_agreed_after bigint[] not null,
  disconnect_unknown_after bigint[] not null,
  seconds bigint[] not null,
  bytes_up bigint[] not null,
  bytes_down bigint[] not null,
  termination_causes text[] not null,
  stops_inferred boolean[] not null,
  disconnect_for text[] not null,
  authorisation_ids bigint[] not null,
  only_days date[] not null,
  days jsonb[] not null,
  terms jsonb[] not null,
  box_sessions text[] not null,
  address_session_ids bigint[] not null,
  addresses inet[] not null,
  address_since_after bigint[] not null,
  address_until_after bigint[] not null,
  primary key (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('packed_sessions');
create index on packed_sessions (customer_id, began_at);
create index on packed_sessions (customer_id, property_id, began_at);

comment on table packed_sessions is 'Sessions that ended in former months: each row has some thousand of a property, an array for each column.';
comment on column packed_sessions.began_at is 'When the first of them began.';
comment on column packed_sessions.over_at is 'When the last of them was over.';
comment on column packed_sessions.last_seen_after is 'Microseconds after the beginning, as of all columns that end so.';
comment on column packed_sessions.authorisation_ids is 'Less the id of the session.';
comment on column packed_sessions.only_days is 'The day of a session that has no other, and all of its use.';
comment on column packed_sessions.days is 'Use by day, where that does not say it.';

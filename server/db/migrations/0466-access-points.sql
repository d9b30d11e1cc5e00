-- Access points: a controller, or a maker's cloud, is one gateway with many boxes, each of which is known by its MAC address alone.

-- accepted_at: null where it is a claim of a redirect or a packet, which nobody has accepted yet. name: as redirects call it.
create table access_points (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer not null,
  mac_address macaddr not null,
  name text,
  accepted_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, gateway_id, mac_address),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade
);
create index on access_points (mac_address) where accepted_at is not null;
create unique index access_points_accepted_unique on access_points (customer_id, mac_address) where accepted_at is not null;
select make_tenant_table('access_points');

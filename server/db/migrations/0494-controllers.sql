-- Controllers: gateways that let a guest in when we call them, the guests they are asked to let in, and what they answered.

-- What was last heard from the controller of a gateway. problem: why it could not be used, for people. shown_fingerprint: of a
-- certificate that it showed and nobody has accepted.
create table gateway_controllers (
  id integer generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer not null,
  answered_at timestamptz,
  problem text,
  problem_at timestamptz,
  shown_fingerprint text,
  primary key (id),
  unique (customer_id, id),
  unique (customer_id, gateway_id),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade
);
select make_tenant_table('gateway_controllers');

-- sent: what the redirect said that the controller is told again. ends_at: when what was granted is over.
create table controller_grants (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer not null,
  access_pass_id bigint not null,
  authorisation_id bigint not null,
  mac_address macaddr not null,
  sent jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'granted', 'refused', 'ended')),
  problem text,
  ends_at timestamptz,
  granted_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (id),
  unique (customer_id, id),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade,
  foreign key (customer_id, access_pass_id) references access_passes (customer_id, id) on delete cascade
);
create index on controller_grants (customer_id, access_pass_id);
create index on controller_grants (customer_id, gateway_id, mac_address);
select make_tenant_table('controller_grants');

-- What a gateway signs in to its controller with, sealed, for the customer who is at work.
create function controller_secrets(of_gateway integer) returns table (key text, sealed_value bytea)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.key, s.sealed_value from gateway_setting_secrets s
  where s.customer_id = app_customer_id() and s.gateway_id = of_gateway
  union all
  select null, s.sealed_password from gateway_secrets s
  where s.customer_id = app_customer_id() and s.gateway_id = of_gateway and s.sealed_password is not null
$$;
grant execute on function controller_secrets(integer) to foyer_app;

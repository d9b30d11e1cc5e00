-- Settings of gateways: what a make needs to be told beyond the fields that all have.

-- By the keys of the make's parameters. Secrets are not among them.
alter table gateways add column settings jsonb not null default '{}';

create table gateway_setting_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null default app_customer_id() references customers,
  gateway_id integer not null,
  key text not null,
  sealed_value bytea not null,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, gateway_id, key),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade
);
select make_secret_table('gateway_setting_secrets', 'sealed_value');

-- Accounting and marketing providers: the connection, its sealed tokens, and the contacts and invoices that hang on it.

create table accounting_integrations (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  group_id integer,
  property_id integer,
  integration_type text not null default 'xero' check (integration_type in ('xero')),
  name text,
  tenant_id text,
  organisation_id text,
  connected_at timestamptz,
  synced_at timestamptz,
  last_error text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('accounting_integrations'), make_list('accounting_integrations', 'group_id', 'property_id');

create table marketing_integrations (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  group_id integer,
  property_id integer,
  integration_type text not null default 'mailchimp' check (integration_type in ('mailchimp')),
  name text,
  tenant_id text,
  audience_id text,
  connected_at timestamptz,
  synced_at timestamptz,
  last_error text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('marketing_integrations'), make_list('marketing_integrations', 'group_id', 'property_id');

create table integration_tokens (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  accounting_integration_id integer,
  marketing_integration_id integer,
  sealed_access_token bytea not null,
  sealed_refresh_token bytea,
  expires_at timestamptz,
  changed_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, accounting_integration_id),
  unique (customer_id, marketing_integration_id),
  check (num_nonnulls(accounting_integration_id, marketing_integration_id) = 1),
  foreign key (customer_id, accounting_integration_id) references accounting_integrations (customer_id, id) on delete cascade,
  foreign key (customer_id, marketing_integration_id) references marketing_integrations (customer_id, id) on delete cascade
);
select make_secret_table('integration_tokens', 'sealed_access_token', 'sealed_refresh_token');

-- A walk to a provider and back: good once, for ten minutes, for the session that began it. A door table.
create table oauth_states (
  state_hash bytea primary key check (length(state_hash) = 32),
  customer_id integer not null references customers,
  user_id integer not null,
  session_token_hash bytea not null,
  kind text not null check (kind in ('accounting', 'marketing')),
  integration_type text not null,
  sealed_code_verifier bytea,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index on oauth_states (customer_id, user_id);
create index on oauth_states (expires_at);

-- A copy of the provider's contacts; status and type are the provider's own words.
create table accounting_contacts (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  accounting_integration_id integer not null,
  external_id text not null,
  name text,
  first_name text,
  last_name text,
  email_address text,
  status text,
  type text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (lower(' ' || coalesce(name, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '')
    || ' ' || coalesce(email_address, ''))) stored,
  unique (customer_id, id),
  unique (customer_id, accounting_integration_id, external_id),
  foreign key (customer_id, accounting_integration_id) references accounting_integrations (customer_id, id) on delete cascade
);
select make_tenant_table('accounting_contacts'), make_list('accounting_contacts', 'accounting_integration_id'),
  make_searchable('accounting_contacts');

alter table properties add foreign key (customer_id, accounting_contact_id)
  references accounting_contacts (customer_id, id) on delete set null (accounting_contact_id);
create index on properties (customer_id, accounting_contact_id) where accounting_contact_id is not null;
alter table devices add foreign key (customer_id, accounting_contact_id)
  references accounting_contacts (customer_id, id) on delete set null (accounting_contact_id);
create index on devices (customer_id, accounting_contact_id) where accounting_contact_id is not null;

-- An approved run is sent once to each contact: the key makes a repeated sending harmless at the provider too.
create table billing_invoices (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  billing_run_id integer not null,
  accounting_integration_id integer,
  accounting_contact_id integer,
  idempotency_key uuid not null default gen_random_uuid(),
  external_id text,
  amount numeric(12, 2) not null,
  currency char(3) not null,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, billing_run_id, accounting_contact_id, currency),
  foreign key (customer_id, billing_run_id) references billing_runs (customer_id, id) on delete cascade,
  foreign key (customer_id, accounting_integration_id) references accounting_integrations (customer_id, id)
    on delete set null (accounting_integration_id),
  foreign key (customer_id, accounting_contact_id) references accounting_contacts (customer_id, id) on delete set null (accounting_contact_id)
);
create index on billing_invoices (customer_id, accounting_integration_id) where accounting_integration_id is not null;
create index on billing_invoices (customer_id, accounting_contact_id) where accounting_contact_id is not null;
select make_tenant_table('billing_invoices');

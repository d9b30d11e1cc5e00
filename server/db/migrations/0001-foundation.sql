-- The foundation: how tables are made, who may touch them, and the customers, people, groups, packages, portals and properties.
--
-- Every migration runs in one transaction as foyer_owner, who owns the database. foyer_app, the login of the running
-- product, owns nothing. Both roles exist before the first migration. SQL stays at the level of PostgreSQL 15.
--
-- A tenant table has its own id, a customer_id, and `unique (customer_id, id)`, so that every reference between tenant
-- tables is `(customer_id, x_id)` and a reference into another customer cannot be stored. Three words make the rest:
--   make_tenant_table(table)              row-level security, forced, and the grants
--   make_list(table, parent columns …)    indexes for "newest first, then id", alone and under each parent
--   make_searchable(table)                the trigram index on its generated column `search`
-- A door table (logins, sessions …) is read before a customer is known: foyer_app has no right on it at all, and the
-- doors are security definer functions. A look-up is the same for every customer: foyer_app may only read it.
--
-- Deletion is soft (`deleted_at`); a parent row is erased only together with its whole customer. That is why an index
-- over undeleted rows is enough to support a foreign key.

-- A function is called by nobody but its owner until it is granted.
alter default privileges revoke execute on functions from public;
grant usage on schema public to foyer_app;

-- Both come with PostgreSQL and may be made by a database's owner. Without them search still works, only slower.
do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
  end if;
exception when insufficient_privilege then
  raise warning 'without pg_trgm and btree_gin, searching reads every row of the customer: let an administrator create them';
end $$;

-- The customer of this transaction; null, and so no rows, when the scope has not said. After a transaction the setting is ''.
create function app_customer_id() returns integer language sql stable parallel safe
  return nullif(current_setting('app.customer_id', true), '')::integer;
grant execute on function app_customer_id() to foyer_app;

create function make_tenant_table(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s alter column customer_id set default app_customer_id()', tenant_table);
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy owner_sees_all on %s to foyer_owner using (true) with check (true)', tenant_table);
  execute format('create policy app_sees_its_customer on %s to foyer_app
                    using (customer_id = (select app_customer_id()))
                    with check (customer_id = (select app_customer_id()))', tenant_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', tenant_table);
end $$;

-- Secrets can be written but never read back: foyer_app may read every column but those named.
create function make_secret_table(tenant_table regclass, variadic secret_columns text[]) returns void language plpgsql as $$
declare
  open_columns text;
begin
  perform make_tenant_table(tenant_table);
  select string_agg(quote_ident(attname), ', ') into open_columns from pg_attribute
    where attrelid = tenant_table and attnum > 0 and not attisdropped and attname <> all (secret_columns);
  execute format('revoke select on %s from foyer_app', tenant_table);
  execute format('grant select (%s) on %s to foyer_app', open_columns, tenant_table);
end $$;

create function make_list(listed_table regclass, variadic parents text[] default '{}') returns void language plpgsql as $$
declare
  parent text;
  undeleted text := case when exists (select from pg_attribute where attrelid = listed_table and attname = 'deleted_at')
    then 'where deleted_at is null' else '' end;
begin
  execute format('create index on %s (customer_id, created_at desc, id desc) %s', listed_table, undeleted);
  foreach parent in array parents loop
    execute format('create index on %s (customer_id, %I, created_at desc, id desc) %s', listed_table, parent, undeleted);
  end loop;
end $$;

-- customer_id stands in the index too, so that one customer's search never walks through another's rows. The short pending
-- list (in kB) keeps a search soon after a large import cheap; it does not slow the import.
create function make_searchable(searched_table regclass) returns void language plpgsql as $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    execute format('create index on %s using gin (customer_id, search gin_trgm_ops) with (gin_pending_list_limit = 1024)', searched_table);
  end if;
end $$;

create function make_lookup(lookup regclass) returns void language plpgsql as $$
begin
  execute format('grant select on %s to foyer_app', lookup);
end $$;

-- Look-ups. Their ids are fixed and seeded in the next file.

create table countries (
  id integer primary key,
  name text not null unique,
  code char(2) not null unique,
  dialling_code text not null,
  time_zone text not null
);
create table user_types (
  id integer primary key,
  name text not null unique,
  role text not null check (role in ('viewer', 'editor'))
);
create table property_types (id integer primary key, name text not null unique);
create table connectivity_types (id integer primary key, name text not null unique);
create table auth_methods (id integer primary key, name text not null unique);
create table portal_types (id integer primary key, name text not null unique);
create table portal_layouts (id integer primary key, name text not null unique);
create table portal_fonts (id integer primary key, name text not null unique);
select make_lookup(lookup) from unnest(array['countries', 'user_types', 'property_types', 'connectivity_types',
  'auth_methods', 'portal_types', 'portal_layouts', 'portal_fonts']::regclass[]) as lookup;

-- Customers. A customer sees its own row and nothing else; only sign-up, a door, makes one.

create table customers (
  id integer generated always as identity primary key,
  name text not null,
  contact_email text,
  country_id integer references countries,
  time_zone text not null default 'Europe/London',
  currency char(3) not null default 'GBP' check (currency ~ '^[A-Z]{3}$'),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored
);
alter table customers enable row level security;
alter table customers force row level security;
create policy owner_sees_all on customers to foyer_owner using (true) with check (true);
create policy app_sees_its_customer on customers to foyer_app
  using (id = (select app_customer_id())) with check (id = (select app_customer_id()));
grant select, update on customers to foyer_app;

-- Groups, portals and packages: what properties are made of.

create table files (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  sha256 bytea not null check (length(sha256) = 32),
  name text not null,
  content_type text not null,
  byte_size bigint not null check (byte_size >= 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (customer_id, id)
);
create index on files (customer_id, sha256);
select make_tenant_table('files');

create table groups (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  name text not null,
  contact_email text,
  portal_id integer,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || coalesce(contact_email, ''))) stored,
  unique (customer_id, id)
);
create index on groups (customer_id, portal_id) where portal_id is not null;
select make_tenant_table('groups'), make_list('groups'), make_searchable('groups');

-- 0 in a number means no limit.
create table packages (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  name text not null,
  volume_gb numeric(14, 6) not null default 0 check (volume_gb >= 0),
  volume_type text not null default 'GB' check (volume_type in ('MB', 'GB')),
  speed_mbps numeric(10, 3) not null default 0 check (speed_mbps >= 0),
  max_users integer not null default 0 check (max_users >= 0),
  session_time_hrs numeric(12, 4) not null default 0 check (session_time_hrs >= 0),
  idle_timeout_hrs numeric(12, 4) not null default 0 check (idle_timeout_hrs >= 0),
  recurs text not null default 'none' check (recurs in ('none', 'daily', 'weekly', 'monthly')),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id)
);
select make_tenant_table('packages'), make_list('packages'), make_searchable('packages');

create domain colour as text check (value ~ '^#[0-9A-Fa-f]{6}$');

-- public_id is the unguessable part of the guest's address; slug is the customer's own short name.
create table portals (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  public_id text not null unique default replace(gen_random_uuid()::text, '-', ''),
  slug text not null,
  name text not null,
  company_name text,
  group_id integer,
  portal_type_id integer not null default 1 references portal_types,
  portal_layout_id integer not null default 1 references portal_layouts,
  portal_font_id integer not null default 1 references portal_fonts,
  auth_method_ids integer[] not null default '{}' check (auth_method_ids <@ array[1, 2, 3, 4, 5, 6, 7, 8]),
  custom_portal_url text,
  is_custom boolean not null default false,
  portal_footer text,
  redirect_url text not null default '',
  headline text not null default 'Sign in to join WiFi',
  headline_text_colour colour not null default '#1A1A1A',
  background_colour colour not null default '#FFFFFF',
  button_fill_colour colour not null default '#2671FF',
  button_text_colour colour not null default '#FFFFFF',
  body_text_colour colour not null default '#000000',
  input_outline_colour colour not null default '#000000',
  form_container_colour colour not null default '#FFFFFF',
  form_field_colour colour not null default '#FFFFFF',
  logo_file_id integer,
  portal_image_file_id integer,
  custom_file_id integer,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || slug || ' ' || coalesce(company_name, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete set null (group_id),
  foreign key (customer_id, logo_file_id) references files (customer_id, id) on delete set null (logo_file_id),
  foreign key (customer_id, portal_image_file_id) references files (customer_id, id) on delete set null (portal_image_file_id),
  foreign key (customer_id, custom_file_id) references files (customer_id, id) on delete set null (custom_file_id)
);
create unique index portals_slug_unique on portals (customer_id, lower(slug)) where deleted_at is null;
create index on portals (customer_id, logo_file_id) where logo_file_id is not null;
create index on portals (customer_id, portal_image_file_id) where portal_image_file_id is not null;
create index on portals (customer_id, custom_file_id) where custom_file_id is not null;
select make_tenant_table('portals'), make_list('portals', 'group_id'), make_searchable('portals');

alter table groups add foreign key (customer_id, portal_id) references portals (customer_id, id) on delete set null (portal_id);

-- The pages and pictures of a custom portal, one row for each file of its zip.
create table portal_files (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  portal_id integer not null,
  file_id integer not null,
  path text not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, portal_id, path),
  foreign key (customer_id, portal_id) references portals (customer_id, id) on delete cascade,
  foreign key (customer_id, file_id) references files (customer_id, id)
);
create index on portal_files (customer_id, file_id);
select make_tenant_table('portal_files');

create table properties (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  external_reference text,
  name text not null,
  address text,
  city text,
  postal_code text,
  email text,
  group_id integer,
  property_type_id integer references property_types,
  connectivity_type_id integer references connectivity_types,
  portal_id integer,
  country_id integer references countries,
  package_id integer,
  accounting_contact_id integer,
  total_units integer not null default 0 check (total_units >= 0),
  minimum_billable_percentage numeric(5, 2) not null default 100 check (minimum_billable_percentage between 0 and 100),
  holiday_billable_percentage numeric(5, 2) not null default 100 check (holiday_billable_percentage between 0 and 100),
  rate_per_unit numeric(12, 2) not null default 0 check (rate_per_unit >= 0),
  max_accounts integer not null default 0 check (max_accounts >= 0),
  time_zone text not null default 'Europe/London',
  currency char(3) not null default 'GBP' check (currency ~ '^[A-Z]{3}$'),
  send_email boolean not null default false,
  send_sms boolean not null default false,
  mri_enabled boolean not null default false,
  sync_rooms_and_devices boolean not null default false,
  mri_communication boolean not null default false,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || coalesce(external_reference, '') || ' ' || coalesce(address, '')
    || ' ' || coalesce(city, '') || ' ' || coalesce(postal_code, '') || ' ' || coalesce(email, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete set null (group_id),
  foreign key (customer_id, portal_id) references portals (customer_id, id) on delete set null (portal_id),
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete set null (package_id)
);
create index on properties (customer_id, portal_id) where portal_id is not null;
create index on properties (customer_id, package_id) where package_id is not null;
select make_tenant_table('properties'), make_list('properties', 'group_id'), make_searchable('properties');

-- People. A login is a person; a user is that person's place with one owner: the group or property named, else the customer.

create table logins (
  id integer generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  name text not null,
  last_user_id integer,
  created_at timestamptz not null default now()
);

create table users (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  login_id integer references logins on delete set null,
  group_id integer,
  property_id integer,
  package_id integer,
  user_type_id integer not null default 1 references user_types,
  name text not null,
  email text not null,
  username text,
  company_name text,
  contact_email text,
  logged_in_at timestamptz,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name || ' ' || email || ' ' || coalesce(username, '') || ' ' || coalesce(company_name, ''))) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id, package_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete cascade
);
create unique index users_email_unique on users
  (customer_id, lower(email), coalesce(group_id, 0), coalesce(property_id, 0), coalesce(package_id, 0)) where deleted_at is null;
create index on users (login_id) where login_id is not null;
create index on users (customer_id, package_id) where package_id is not null;
select make_tenant_table('users'), make_list('users', 'group_id', 'property_id'), make_searchable('users');

alter table logins add foreign key (last_user_id) references users on delete set null;
create index on logins (last_user_id) where last_user_id is not null;

create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  login_id integer not null references logins on delete cascade,
  user_id integer not null,
  customer_id integer not null references customers,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip inet,
  user_agent text,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index on sessions (login_id);
create index on sessions (customer_id, user_id);
create index on sessions (expires_at);

create table password_resets (
  token_hash bytea primary key check (length(token_hash) = 32),
  login_id integer not null references logins on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  ip inet
);
create index on password_resets (login_id);
create index on password_resets (expires_at);

create table invitations (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  token_hash bytea not null unique check (length(token_hash) = 32),
  user_id integer not null,
  email text not null,
  invited_by_user_id integer,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  unique (customer_id, id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  foreign key (customer_id, invited_by_user_id) references users (customer_id, id) on delete set null (invited_by_user_id)
);
create index on invitations (customer_id, user_id);
create index on invitations (customer_id, invited_by_user_id) where invited_by_user_id is not null;
select make_tenant_table('invitations');

create table teams (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  group_id integer,
  property_id integer,
  package_id integer,
  user_type_id integer not null default 1 references user_types,
  name text not null,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id, package_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, package_id) references packages (customer_id, id) on delete cascade
);
create index on teams (customer_id, package_id) where package_id is not null;
select make_tenant_table('teams'), make_list('teams', 'group_id', 'property_id'), make_searchable('teams');

create table team_users (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  team_id integer not null,
  user_id integer not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, team_id, user_id),
  foreign key (customer_id, team_id) references teams (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index on team_users (customer_id, user_id);
select make_tenant_table('team_users');

-- Collections: named sets of properties and team members, across groups.

create table collections (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  name text not null,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id)
);
select make_tenant_table('collections'), make_list('collections'), make_searchable('collections');

create table collection_properties (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  collection_id integer not null,
  property_id integer not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, collection_id, property_id),
  foreign key (customer_id, collection_id) references collections (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create index on collection_properties (customer_id, property_id);
select make_tenant_table('collection_properties');

create table collection_users (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  collection_id integer not null,
  user_id integer not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, collection_id, user_id),
  foreign key (customer_id, collection_id) references collections (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index on collection_users (customer_id, user_id);
select make_tenant_table('collection_users');

-- What every write leaves behind.

-- Append-only. It names users and objects without referring to them, because it outlives them.
-- group_id and property_id say whose line it is, so that a group's user sees only its own.
create table activity (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  user_id integer,
  actor_name text,
  actor_email text,
  action text not null check (action in ('create', 'update', 'activate', 'deactivate', 'delete', 'invite', 'permission',
    'import', 'export', 'login', 'failed_login', 'integration')),
  object_type text,
  object_id bigint,
  object_name text,
  before jsonb,
  after jsonb,
  ip inet,
  group_id integer,
  property_id integer,
  created_at timestamptz not null default now(),
  search text not null generated always as (lower(' ' || coalesce(actor_name, '') || ' ' || coalesce(actor_email, '') || ' ' || action
    || ' ' || coalesce(object_type, '') || ' ' || coalesce(object_name, ''))) stored,
  unique (customer_id, id)
);
create index on activity (customer_id, user_id, created_at desc, id desc);
create index on activity (customer_id, object_type, object_id, created_at desc, id desc);
select make_tenant_table('activity'), make_list('activity', 'group_id', 'property_id'), make_searchable('activity');
revoke update, delete on activity from foyer_app;

-- user_id is null when an API key asks. answer is null while the first call still runs.
create table idempotency_keys (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  user_id integer,
  endpoint text not null,
  key text not null check (length(key) <= 255),
  body_hash bytea not null,
  status integer,
  answer text,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique nulls not distinct (customer_id, user_id, endpoint, key),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index on idempotency_keys (created_at);
select make_tenant_table('idempotency_keys');

-- Counters shared by all nodes; a crash may empty them.
create unlogged table rate_limits (
  key text primary key,
  hits integer not null default 0,
  expires_at timestamptz not null
);
create index on rate_limits (expires_at);

-- Mails are written beside the change that causes them and sent by a job.
create table outbox_mails (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  recipient_name text,
  recipient_email text not null,
  subject text not null,
  text text not null,
  html text,
  attempts integer not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  unique (customer_id, id)
);
create index on outbox_mails (created_at, id) where sent_at is null and failed_at is null;
select make_tenant_table('outbox_mails'), make_list('outbox_mails');

-- What the user menu still offers: roles, API keys and the footer of the portals.

create table roles (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  name text not null,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id)
);
select make_tenant_table('roles'), make_list('roles'), make_searchable('roles');

-- A key belongs to a user, a group or a property, and reaches no further than its owner and, if any, its property_ids.
create table api_keys (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  user_id integer,
  group_id integer,
  property_id integer,
  name text not null,
  email text,
  permissions text[] not null default '{}',
  property_ids integer[] not null default '{}',
  token_start text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_by_user_id integer,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (lower(' ' || name || ' ' || coalesce(email, ''))) stored,
  unique (customer_id, id),
  check (num_nonnulls(user_id, group_id, property_id) <= 1),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, created_by_user_id) references users (customer_id, id) on delete set null (created_by_user_id)
);
create index on api_keys (customer_id, created_by_user_id) where created_by_user_id is not null;
select make_tenant_table('api_keys'), make_list('api_keys', 'user_id', 'group_id', 'property_id'), make_searchable('api_keys');

-- Only the hash of a key is kept, and only the door may look for it.
create table api_key_secrets (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  api_key_id integer not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  unique (customer_id, id),
  unique (customer_id, api_key_id),
  foreign key (customer_id, api_key_id) references api_keys (customer_id, id) on delete cascade
);
select make_secret_table('api_key_secrets', 'token_hash');

create table portal_footers (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  url text,
  image_file_id integer,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (customer_id, id),
  foreign key (customer_id, image_file_id) references files (customer_id, id) on delete set null (image_file_id)
);
create index on portal_footers (customer_id, image_file_id) where image_file_id is not null;
select make_tenant_table('portal_footers'), make_list('portal_footers');

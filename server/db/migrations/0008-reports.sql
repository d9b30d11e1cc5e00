-- Reports: what is asked, how often, and each time it was answered.

-- The id lists are filters, checked for reach when they are stored and read through row-level security when they are used;
-- an id that has since been deleted simply matches nothing, so they are not references.
create table reports (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  group_id integer,
  property_id integer,
  user_id integer,
  kind text not null default 'session' check (kind in ('session', 'billing', 'free_wifi')),
  name text not null,
  property_ids integer[] not null default '{}',
  collection_ids integer[] not null default '{}',
  group_ids integer[] not null default '{}',
  package_ids integer[] not null default '{}',
  auth_method_ids integer[] not null default '{}',
  mac_category_ids integer[] not null default '{}',
  property_type_ids integer[] not null default '{}',
  connectivity_type_ids integer[] not null default '{}',
  recipients text[] not null default '{}',
  start_date date,
  end_date date,
  date_range text,
  frequency integer references frequency_types,
  filters_applied jsonb,
  view_as text not null default 'all_sessions' check (view_as in ('all_sessions', 'unique')),
  format text not null default 'xls' check (format in ('xls', 'xlsx', 'csv', 'pdf')),
  columns text[] not null default '{}',
  wizard_step integer not null default 1,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id),
  check (num_nonnulls(group_id, property_id) <= 1),
  foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete set null (user_id)
);
create index on reports (customer_id, user_id) where user_id is not null;
select make_tenant_table('reports'), make_list('reports', 'group_id', 'property_id'), make_searchable('reports');

create table scheduled_reports (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  report_id integer not null,
  name text not null,
  recipients text[] not null default '{}',
  start_date date not null,
  frequency integer not null references frequency_types,
  format text not null default 'xls' check (format in ('xls', 'xlsx', 'csv', 'pdf')),
  next_run_at timestamptz,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  status text not null generated always as (case when draft then 'draft' when active then 'active' else 'disabled' end) stored,
  search text not null generated always as (lower(' ' || name)) stored,
  unique (customer_id, id),
  foreign key (customer_id, report_id) references reports (customer_id, id) on delete cascade
);
create index on scheduled_reports (next_run_at) where deleted_at is null and active and not draft;
select make_tenant_table('scheduled_reports'), make_list('scheduled_reports', 'report_id'), make_searchable('scheduled_reports');

-- A schedule answers each period once, however many nodes try.
create table report_runs (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  report_id integer not null,
  scheduled_report_id integer,
  user_id integer,
  file_id integer,
  period_start date,
  period_end date,
  outcome text not null default 'queued' check (outcome in ('queued', 'running', 'done', 'failed')),
  row_count bigint,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (customer_id, id),
  unique (customer_id, scheduled_report_id, period_start),
  foreign key (customer_id, report_id) references reports (customer_id, id) on delete cascade,
  foreign key (customer_id, scheduled_report_id) references scheduled_reports (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete set null (user_id),
  foreign key (customer_id, file_id) references files (customer_id, id) on delete set null (file_id)
);
create index on report_runs (customer_id, user_id) where user_id is not null;
create index on report_runs (customer_id, file_id) where file_id is not null;
select make_tenant_table('report_runs'), make_list('report_runs', 'report_id');

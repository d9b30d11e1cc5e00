-- Written by `npm run tables` from what the migrations made, never by hand.

create table reports (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  user_id integer,
  kind text not null default 'session'::text,
  name text not null,
  property_ids integer[] not null default '{}'::integer[],
  collection_ids integer[] not null default '{}'::integer[],
  group_ids integer[] not null default '{}'::integer[],
  package_ids integer[] not null default '{}'::integer[],
  auth_method_ids integer[] not null default '{}'::integer[],
  mac_category_ids integer[] not null default '{}'::integer[],
  property_type_ids integer[] not null default '{}'::integer[],
  connectivity_type_ids integer[] not null default '{}'::integer[],
  recipients text[] not null default '{}'::text[],
  start_date date,
  end_date date,
  date_range text,
  frequency integer,
  view_as text not null default 'all_sessions'::text,
  format text not null default 'xls'::text,
  columns text[] not null default '{}'::text[],
  wizard_step integer not null default 1,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN draft THEN 'draft'::text
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  next_run_at timestamp with time zone,
  failures integer not null default 0,
  paused_at timestamp with time zone,
  scheduled boolean not null generated always as ((COALESCE(frequency, 1) <> 1)) stored,
  next_due_on date,
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  api_key_id integer,
  paused_for text,
  only_if_rows boolean not null default false,
  owner_checked_at timestamp with time zone,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_customer_id_id_key UNIQUE (customer_id, id),
  constraint reports_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint reports_date_range_check CHECK ((date_range = ANY (ARRAY['today'::text, 'yesterday'::text, 'last_7_days'::text, 'last_30_days'::text, 'this_week'::text, 'last_week'::text, 'this_month'::text, 'last_month'::text, 'this_quarter'::text, 'last_quarter'::text, 'this_year'::text, 'custom'::text]))),
  constraint reports_format_check CHECK ((format = ANY (ARRAY['xls'::text, 'xlsx'::text, 'csv'::text, 'pdf'::text]))),
  constraint reports_paused_for_check CHECK ((paused_for = ANY (ARRAY['owner_left'::text, 'owner_lowered'::text, 'owner_reach'::text, 'failed'::text]))),
  constraint reports_view_as_check CHECK ((view_as = ANY (ARRAY['all_sessions'::text, 'unique'::text]))),
  constraint reports_customer_id_api_key_id_fkey FOREIGN KEY (customer_id, api_key_id) REFERENCES api_keys(customer_id, id) ON DELETE SET NULL (api_key_id),
  constraint reports_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint reports_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint reports_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint reports_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (user_id),
  constraint reports_frequency_fkey FOREIGN KEY (frequency) REFERENCES frequency_types(id)
);

comment on table reports is 'Saved reports and their schedules. Lists of ids are filters and no references: an id that was deleted matches nothing.';
comment on column reports.next_run_at is 'When it is due; null: it is not scheduled.';
comment on column reports.failures is 'Runs that failed since one went well.';
comment on column reports.owner_checked_at is 'When the owner''s rights were checked; null: something they depend on has changed since.';

CREATE INDEX reports_customer_id_api_key_id_idx ON public.reports USING btree (customer_id, api_key_id) WHERE (api_key_id IS NOT NULL);
CREATE INDEX reports_customer_id_created_at_id_idx ON public.reports USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX reports_customer_id_group_id_created_at_id_idx ON public.reports USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX reports_customer_id_property_id_created_at_id_idx ON public.reports USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX reports_customer_id_search_customer_id1_idx ON public.reports USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX reports_customer_id_user_id_idx ON public.reports USING btree (customer_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX reports_next_run_at_idx ON public.reports USING btree (next_run_at) WHERE ((deleted_at IS NULL) AND active AND (NOT draft) AND (next_run_at IS NOT NULL));
CREATE INDEX reports_unchecked ON public.reports USING btree (id) WHERE ((deleted_at IS NULL) AND scheduled AND active AND (NOT draft) AND (paused_at IS NULL) AND (owner_checked_at IS NULL));

alter table reports enable row level security;
alter table reports force row level security;

create policy app_sees_its_customer on reports for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on reports for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.reports FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on reports to foyer_app;

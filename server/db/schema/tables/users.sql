-- Written by `npm run tables` from what the migrations made, never by hand.

create table users (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  login_id integer,
  group_id integer,
  property_id integer,
  package_id integer,
  user_type_id integer not null default 1,
  name text not null,
  email text not null,
  username text,
  company_name text,
  contact_email text,
  logged_in_at timestamp with time zone,
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
  search text not null generated always as (search_text(lower((((((((' '::text || name) || ' '::text) || email) || ' '::text) || COALESCE(username, ''::text)) || ' '::text) || COALESCE(company_name, ''::text))))) stored,
  outage_mails boolean not null default false,
  quiet_from time without time zone,
  quiet_until time without time zone,
  mobile_number text,
  outage_texts boolean not null default false,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_customer_id_id_key UNIQUE (customer_id, id),
  constraint users_check CHECK ((num_nonnulls(group_id, property_id, package_id) <= 1)),
  constraint users_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint users_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint users_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE CASCADE,
  constraint users_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint users_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE SET NULL,
  constraint users_user_type_id_fkey FOREIGN KEY (user_type_id) REFERENCES user_types(id)
);

comment on table users is 'People''s places with one owner: the group or property that is named, else the customer.';
comment on column users.quiet_from is 'No outage is told between quiet_from and quiet_until of the company''s day.';

CREATE INDEX users_customer_id_created_at_id_idx ON public.users USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX users_customer_id_group_id_created_at_id_idx ON public.users USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX users_customer_id_name_id_idx ON public.users USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX users_customer_id_package_id_idx ON public.users USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX users_customer_id_property_id_created_at_id_idx ON public.users USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX users_customer_id_search_customer_id1_idx ON public.users USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (customer_id, lower(email), COALESCE(group_id, 0), COALESCE(property_id, 0), COALESCE(package_id, 0)) WHERE (deleted_at IS NULL);
CREATE INDEX users_login_id_idx ON public.users USING btree (login_id) WHERE (login_id IS NOT NULL);

alter table users enable row level security;
alter table users force row level security;

create policy app_sees_its_customer on users for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on users for all to foyer_owner using (true) with check (true);

CREATE TRIGGER schedules_follow_their_owner AFTER UPDATE OF login_id, group_id, property_id, package_id, user_type_id, active, draft, deleted_at ON public.users FOR EACH ROW WHEN (((((((((old.login_id IS DISTINCT FROM new.login_id) OR (old.group_id IS DISTINCT FROM new.group_id)) OR (old.property_id IS DISTINCT FROM new.property_id)) OR (old.package_id IS DISTINCT FROM new.package_id)) OR (old.user_type_id IS DISTINCT FROM new.user_type_id)) OR (old.active IS DISTINCT FROM new.active)) OR (old.draft IS DISTINCT FROM new.draft)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER sessions_end_with_user AFTER UPDATE OF active, deleted_at, group_id, property_id, package_id ON public.users FOR EACH ROW WHEN (((old.active AND (NOT new.active)) OR ((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL)) OR (((old.group_id IS DISTINCT FROM new.group_id) OR (old.property_id IS DISTINCT FROM new.property_id)) OR (old.package_id IS DISTINCT FROM new.package_id)))) EXECUTE FUNCTION end_sessions_of_user();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.users FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on users to foyer_app;

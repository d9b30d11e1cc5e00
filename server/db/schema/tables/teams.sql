-- Written by `npm run tables` from what the migrations made, never by hand.

create table teams (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  package_id integer,
  user_type_id integer not null default 1,
  name text not null,
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
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_customer_id_id_key UNIQUE (customer_id, id),
  constraint teams_check CHECK ((num_nonnulls(group_id, property_id, package_id) <= 1)),
  constraint teams_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint teams_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint teams_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE CASCADE,
  constraint teams_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint teams_user_type_id_fkey FOREIGN KEY (user_type_id) REFERENCES user_types(id)
);

comment on table teams is 'Named sets of one owner''s users, and the permission that people invited to them get.';

CREATE INDEX teams_customer_id_created_at_id_idx ON public.teams USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX teams_customer_id_group_id_created_at_id_idx ON public.teams USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX teams_customer_id_name_id_idx ON public.teams USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX teams_customer_id_package_id_idx ON public.teams USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX teams_customer_id_property_id_created_at_id_idx ON public.teams USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX teams_customer_id_search_customer_id1_idx ON public.teams USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table teams enable row level security;
alter table teams force row level security;

create policy app_sees_its_customer on teams for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on teams for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.teams FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on teams to foyer_app;

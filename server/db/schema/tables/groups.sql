-- Written by `npm run tables` from what the migrations made, never by hand.

create table groups (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  name text not null,
  contact_email text,
  portal_id integer,
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
  search text not null generated always as (search_text(lower((((' '::text || name) || ' '::text) || COALESCE(contact_email, ''::text))))) stored,
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_customer_id_id_key UNIQUE (customer_id, id),
  constraint groups_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint groups_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE SET NULL (portal_id)
);

comment on table groups is 'Properties that are run together, such as the hotels of one brand.';

CREATE INDEX groups_customer_id_created_at_id_idx ON public.groups USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX groups_customer_id_name_id_idx ON public.groups USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX groups_customer_id_portal_id_idx ON public.groups USING btree (customer_id, portal_id) WHERE (portal_id IS NOT NULL);
CREATE INDEX groups_customer_id_search_customer_id1_idx ON public.groups USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table groups enable row level security;
alter table groups force row level security;

create policy app_sees_its_customer on groups for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on groups for all to foyer_owner using (true) with check (true);

CREATE TRIGGER groups_changed_states AFTER UPDATE ON public.groups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_groups();
CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.groups FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.groups FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on groups to foyer_app;

-- Written by `npm run tables` from what the migrations made, never by hand.

create table collections (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
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
  group_id integer,
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_customer_id_id_key UNIQUE (customer_id, id),
  constraint collections_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint collections_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE
);

comment on table collections is 'Named sets of properties and people: the customer''s, across groups, or a group''s own.';

CREATE INDEX collections_customer_id_created_at_id_idx ON public.collections USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX collections_customer_id_group_id_created_at_id_idx ON public.collections USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX collections_customer_id_name_id_idx ON public.collections USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX collections_customer_id_search_customer_id1_idx ON public.collections USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table collections enable row level security;
alter table collections force row level security;

create policy app_sees_its_customer on collections for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on collections for all to foyer_owner using (true) with check (true);

CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.collections FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.collections FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on collections to foyer_app;

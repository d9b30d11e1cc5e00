-- Written by `npm run tables` from what the migrations made, never by hand.

create table mac_categories (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  name text not null,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  blocks boolean not null default false,
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  constraint mac_categories_pkey PRIMARY KEY (id),
  constraint mac_categories_customer_id_id_key UNIQUE (customer_id, id),
  constraint mac_categories_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table mac_categories is 'A customer''s kinds of devices, and which of them are kept off its networks.';

CREATE INDEX mac_categories_customer_id_created_at_id_idx ON public.mac_categories USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX mac_categories_customer_id_search_customer_id1_idx ON public.mac_categories USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE UNIQUE INDEX mac_categories_name_unique ON public.mac_categories USING btree (customer_id, lower(btrim(name))) WHERE (deleted_at IS NULL);

alter table mac_categories enable row level security;
alter table mac_categories force row level security;

create policy app_sees_its_customer on mac_categories for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on mac_categories for all to foyer_owner using (true) with check (true);

CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.mac_categories FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.mac_categories FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on mac_categories to foyer_app;

-- Written by `npm run tables` from what the migrations made, never by hand.

create table roles (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  name text not null,
  permissions text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  search text not null generated always as (search_text(lower((' '::text || name)))) stored,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_customer_id_id_key UNIQUE (customer_id, id),
  constraint roles_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table roles is 'Look-up: viewer, editor, front desk.';

CREATE INDEX roles_customer_id_created_at_id_idx ON public.roles USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX roles_customer_id_search_customer_id1_idx ON public.roles USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table roles enable row level security;
alter table roles force row level security;

create policy app_sees_its_customer on roles for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on roles for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.roles FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on roles to foyer_app;

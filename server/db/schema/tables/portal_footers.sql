-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_footers (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  url text,
  image_file_id integer,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  active boolean not null default true,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  name text not null generated always as (COALESCE(url, 'Portal footer'::text)) stored,
  search text not null generated always as (search_text((' '::text || COALESCE(url, ''::text)))) stored,
  constraint portal_footers_pkey PRIMARY KEY (id),
  constraint portal_footers_customer_id_id_key UNIQUE (customer_id, id),
  constraint portal_footers_check CHECK (((image_file_id IS NOT NULL) OR (deleted_at IS NOT NULL))),
  constraint portal_footers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint portal_footers_customer_id_image_file_id_fkey FOREIGN KEY (customer_id, image_file_id) REFERENCES files(customer_id, id)
);

comment on table portal_footers is 'The picture and link below every portal of a customer: one at most.';

CREATE INDEX portal_footers_customer_id_created_at_id_idx ON public.portal_footers USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX portal_footers_customer_id_image_file_id_idx ON public.portal_footers USING btree (customer_id, image_file_id) WHERE (image_file_id IS NOT NULL);
CREATE INDEX portal_footers_customer_id_search_customer_id1_idx ON public.portal_footers USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE UNIQUE INDEX portal_footers_one_of_customer ON public.portal_footers USING btree (customer_id) WHERE (deleted_at IS NULL);

alter table portal_footers enable row level security;
alter table portal_footers force row level security;

create policy app_sees_its_customer on portal_footers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on portal_footers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER let_go_of_picture BEFORE UPDATE OF deleted_at ON public.portal_footers FOR EACH ROW WHEN ((new.deleted_at IS NOT NULL)) EXECUTE FUNCTION let_go_of_picture();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.portal_footers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on portal_footers to foyer_app;

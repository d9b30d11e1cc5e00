-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_versions (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  portal_id integer not null,
  number integer not null,
  design jsonb not null,
  logo_file_id integer,
  portal_image_file_id integer,
  saved_by text not null,
  created_at timestamp with time zone not null default now(),
  zip_number integer,
  constraint portal_versions_pkey PRIMARY KEY (id),
  constraint portal_versions_customer_id_id_key UNIQUE (customer_id, id),
  constraint portal_versions_customer_id_portal_id_number_key UNIQUE (customer_id, portal_id, number),
  constraint portal_versions_number_check CHECK ((number > 0)),
  constraint portal_versions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint portal_versions_customer_id_logo_file_id_fkey FOREIGN KEY (customer_id, logo_file_id) REFERENCES files(customer_id, id),
  constraint portal_versions_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE CASCADE,
  constraint portal_versions_customer_id_portal_image_file_id_fkey FOREIGN KEY (customer_id, portal_image_file_id) REFERENCES files(customer_id, id)
);

comment on table portal_versions is 'Former designs of portals, as they were saved.';
comment on column portal_versions.zip_number is 'The import of custom pages that it shows.';

CREATE INDEX portal_versions_customer_id_logo_file_id_idx ON public.portal_versions USING btree (customer_id, logo_file_id) WHERE (logo_file_id IS NOT NULL);
CREATE INDEX portal_versions_customer_id_portal_image_file_id_idx ON public.portal_versions USING btree (customer_id, portal_image_file_id) WHERE (portal_image_file_id IS NOT NULL);

alter table portal_versions enable row level security;
alter table portal_versions force row level security;

create policy app_sees_its_customer on portal_versions for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on portal_versions for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.portal_versions FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on portal_versions to foyer_app;

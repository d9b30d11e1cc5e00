-- Written by `npm run tables` from what the migrations made, never by hand.

create table portal_files (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  portal_id integer not null,
  file_id integer not null,
  path text not null,
  created_at timestamp with time zone not null default now(),
  zip_number integer not null,
  constraint portal_files_pkey PRIMARY KEY (id),
  constraint portal_files_customer_id_id_key UNIQUE (customer_id, id),
  constraint portal_files_customer_id_portal_id_zip_number_path_key UNIQUE (customer_id, portal_id, zip_number, path),
  constraint portal_files_zip_number_check CHECK ((zip_number > 0)),
  constraint portal_files_customer_id_file_id_fkey FOREIGN KEY (customer_id, file_id) REFERENCES files(customer_id, id),
  constraint portal_files_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint portal_files_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE CASCADE
);

comment on table portal_files is 'Pages and pictures of custom portals, one row for each file of their zip.';

CREATE INDEX portal_files_customer_id_file_id_idx ON public.portal_files USING btree (customer_id, file_id);

alter table portal_files enable row level security;
alter table portal_files force row level security;

create policy app_sees_its_customer on portal_files for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on portal_files for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.portal_files FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on portal_files to foyer_app;

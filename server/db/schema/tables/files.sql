-- Written by `npm run tables` from what the migrations made, never by hand.

create table files (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  sha256 bytea not null,
  name text not null,
  content_type text not null,
  byte_size bigint not null,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  public_id text not null default replace((gen_random_uuid())::text, '-'::text, ''::text),
  width integer,
  height integer,
  sealed_key bytea,
  constraint files_pkey PRIMARY KEY (id),
  constraint files_customer_id_id_key UNIQUE (customer_id, id),
  constraint files_public_id_key UNIQUE (public_id),
  constraint files_byte_size_check CHECK ((byte_size >= 0)),
  constraint files_height_check CHECK ((height > 0)),
  constraint files_sha256_check CHECK ((length(sha256) = 32)),
  constraint files_width_check CHECK ((width > 0)),
  constraint files_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table files is 'Uploaded and made files: what they are called, and the hash by which the storage has their content.';
comment on column files.sealed_key is 'The key under which its content is encrypted in the storage; null: it lies there as it is.';

CREATE INDEX files_customer_id_sha256_idx ON public.files USING btree (customer_id, sha256);

alter table files enable row level security;
alter table files force row level security;

create policy app_sees_its_customer on files for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on files for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.files FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on files to foyer_app;

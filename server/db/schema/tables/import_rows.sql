-- Written by `npm run tables` from what the migrations made, never by hand.

create table import_rows (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  import_id integer not null,
  record_table text not null,
  record_id integer not null,
  before jsonb,
  left_as bytea not null,
  removed boolean not null default false,
  constraint import_rows_pkey PRIMARY KEY (id),
  constraint import_rows_customer_id_id_key UNIQUE (customer_id, id),
  constraint import_rows_customer_id_import_id_record_table_record_id_key UNIQUE (customer_id, import_id, record_table, record_id),
  constraint import_rows_record_table_check CHECK ((record_table = ANY (ARRAY['accounts'::text, 'devices'::text, 'rooms'::text, 'room_guests'::text]))),
  constraint import_rows_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint import_rows_customer_id_import_id_fkey FOREIGN KEY (customer_id, import_id) REFERENCES imports(customer_id, id) ON DELETE CASCADE
);

comment on table import_rows is 'What each row of an import held before and after, so that it can be undone for a day.';
comment on column import_rows.before is 'What the columns held that the import writes, a password sealed; null where the import made the record.';
comment on column import_rows.left_as is 'A digest of the record as the import left it: by it a later change shows.';
comment on column import_rows.removed is 'The import took the record out.';

alter table import_rows enable row level security;
alter table import_rows force row level security;

create policy app_sees_its_customer on import_rows for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on import_rows for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.import_rows FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on import_rows to foyer_app;

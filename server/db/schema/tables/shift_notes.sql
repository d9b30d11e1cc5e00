-- Written by `npm run tables` from what the migrations made, never by hand.

create table shift_notes (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  text text not null,
  written_by text not null,
  created_at timestamp with time zone not null default now(),
  done_at timestamp with time zone,
  done_by text,
  constraint shift_notes_pkey PRIMARY KEY (id),
  constraint shift_notes_customer_id_id_key UNIQUE (customer_id, id),
  constraint shift_notes_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint shift_notes_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table shift_notes is 'Notes of a property''s desk for the next shift.';

CREATE INDEX shift_notes_customer_id_created_at_id_idx ON public.shift_notes USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX shift_notes_customer_id_property_id_created_at_id_idx ON public.shift_notes USING btree (customer_id, property_id, created_at DESC, id DESC);

alter table shift_notes enable row level security;
alter table shift_notes force row level security;

create policy app_sees_its_customer on shift_notes for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on shift_notes for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.shift_notes FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on shift_notes to foyer_app;

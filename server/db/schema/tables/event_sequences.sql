-- Written by `npm run tables` from what the migrations made, never by hand.

create table event_sequences (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  object text not null,
  object_id bigint not null,
  last bigint not null default 1,
  constraint event_sequences_pkey PRIMARY KEY (id),
  constraint event_sequences_customer_id_id_key UNIQUE (customer_id, id),
  constraint event_sequences_customer_id_object_object_id_key UNIQUE (customer_id, object, object_id),
  constraint event_sequences_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table event_sequences is 'What has happened to one object, counted whatever its type, so that whoever has taken all of it since the first knows what is missing.';

alter table event_sequences enable row level security;
alter table event_sequences force row level security;

create policy app_sees_its_customer on event_sequences for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on event_sequences for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.event_sequences FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on event_sequences to foyer_app;

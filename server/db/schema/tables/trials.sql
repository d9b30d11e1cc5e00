-- Written by `npm run tables` from what the migrations made, never by hand.

create table trials (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  gateway_id integer,
  begun_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  tried_at timestamp with time zone,
  constraint trials_pkey PRIMARY KEY (id),
  constraint trials_customer_id_id_key UNIQUE (customer_id, id),
  constraint trials_customer_id_property_id_key UNIQUE (customer_id, property_id),
  constraint trials_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint trials_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table trials is 'Properties that were tried as a guest, and the trial that runs.';
comment on column trials.gateway_id is 'Of the trial that runs.';
comment on column trials.tried_at is 'When the first guest of a trial was online at the property.';

CREATE INDEX trials_ends_at_idx ON public.trials USING btree (ends_at) WHERE (gateway_id IS NOT NULL);

alter table trials enable row level security;
alter table trials force row level security;

create policy app_sees_its_customer on trials for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on trials for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.trials FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on trials to foyer_app;

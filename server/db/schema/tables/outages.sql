-- Written by `npm run tables` from what the migrations made, never by hand.

create table outages (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  began_at timestamp with time zone not null,
  calm_since timestamp with time zone,
  ended_at timestamp with time zone,
  constraint outages_pkey PRIMARY KEY (id),
  constraint outages_customer_id_id_key UNIQUE (customer_id, id),
  constraint outages_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint outages_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table outages is 'Times in which guests of a property could not get online. One that comes back within half an hour is the same.';
comment on column outages.calm_since is 'When guests could get online again; half an hour later it is over.';

CREATE INDEX outages_customer_id_property_id_idx ON public.outages USING btree (customer_id, property_id);
CREATE UNIQUE INDEX outages_open ON public.outages USING btree (customer_id, property_id) WHERE (ended_at IS NULL);

alter table outages enable row level security;
alter table outages force row level security;

create policy app_sees_its_customer on outages for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on outages for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.outages FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on outages to foyer_app;

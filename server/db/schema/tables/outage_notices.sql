-- Written by `npm run tables` from what the migrations made, never by hand.

create table outage_notices (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  outage_id integer not null,
  user_id integer not null,
  told_at timestamp with time zone not null default now(),
  over_told_at timestamp with time zone,
  constraint outage_notices_pkey PRIMARY KEY (id),
  constraint outage_notices_customer_id_id_key UNIQUE (customer_id, id),
  constraint outage_notices_once UNIQUE (customer_id, outage_id, user_id),
  constraint outage_notices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint outage_notices_customer_id_outage_id_fkey FOREIGN KEY (customer_id, outage_id) REFERENCES outages(customer_id, id) ON DELETE CASCADE,
  constraint outage_notices_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE
);

comment on table outage_notices is 'Who was told of which outage.';
comment on column outage_notices.over_told_at is 'When they were told that it is over.';

CREATE INDEX outage_notices_customer_id_user_id_idx ON public.outage_notices USING btree (customer_id, user_id);

alter table outage_notices enable row level security;
alter table outage_notices force row level security;

create policy app_sees_its_customer on outage_notices for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on outage_notices for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.outage_notices FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on outage_notices to foyer_app;

-- Written by `npm run tables` from what the migrations made, never by hand.

create table customer_hours (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  hour timestamp with time zone not null,
  online integer not null,
  constraint customer_hours_pkey PRIMARY KEY (id),
  constraint customer_hours_customer_id_hour_key UNIQUE (customer_id, hour),
  constraint customer_hours_customer_id_id_key UNIQUE (customer_id, id),
  constraint customer_hours_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
) with (fillfactor=85);

comment on table customer_hours is 'The sums of property_hours over a customer, so that a week by hours costs the same for one property and for a thousand.';
comment on column customer_hours.hour is 'Its beginning.';
comment on column customer_hours.online is 'The sum of its properties'' peaks of that hour.';

alter table customer_hours enable row level security;
alter table customer_hours force row level security;

create policy app_sees_its_customer on customer_hours for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on customer_hours for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.customer_hours FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on customer_hours to foyer_app;

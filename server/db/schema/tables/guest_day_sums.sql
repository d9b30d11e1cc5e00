-- Written by `npm run tables` from what the migrations made, never by hand.

create table guest_day_sums (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  day date not null,
  auth_method_ids integer[] not null,
  guests integer not null,
  new_guests integer not null,
  constraint guest_day_sums_pkey PRIMARY KEY (id),
  constraint guest_day_sums_customer_id_id_key UNIQUE (customer_id, id),
  constraint guest_day_sums_customer_id_property_id_day_auth_method_ids_key UNIQUE (customer_id, property_id, day, auth_method_ids),
  constraint guest_day_sums_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint guest_day_sums_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table guest_day_sums is 'What is left of guest_days once those are forgotten: how many guests a day had, by all the ways they signed in, and how many were new.';
comment on column guest_day_sums.auth_method_ids is 'All the ways in which they signed in that day; 0: none known.';

CREATE INDEX guest_day_sums_customer_id_day_idx ON public.guest_day_sums USING btree (customer_id, day);

alter table guest_day_sums enable row level security;
alter table guest_day_sums force row level security;

create policy app_sees_its_customer on guest_day_sums for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on guest_day_sums for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.guest_day_sums FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on guest_day_sums to foyer_app;

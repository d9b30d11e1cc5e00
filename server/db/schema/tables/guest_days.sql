-- Written by `npm run tables` from what the migrations made, never by hand.

create table guest_days (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  day date not null,
  guest bytea not null,
  auth_method_id integer,
  first_seen boolean not null,
  constraint guest_days_customer_id_id_key UNIQUE (customer_id, id),
  constraint guest_days_customer_id_property_id_day_guest_auth_method_id_key UNIQUE NULLS NOT DISTINCT (customer_id, property_id, day, guest, auth_method_id),
  constraint guest_days_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint guest_days_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint guest_days_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);

comment on table guest_days is 'Who was online at a property on which local day, under a pseudonym: one row for each guest and way of signing in.';
comment on column guest_days.day is 'By the property''s clock.';
comment on column guest_days.guest is 'The guest''s pseudonym (guest_pseudonym); a random one once they are erased.';
comment on column guest_days.first_seen is 'The first day on which this guest was ever there.';

CREATE INDEX guest_days_customer_id_day_idx ON public.guest_days USING btree (customer_id, day);
CREATE INDEX guest_days_customer_id_guest_idx ON public.guest_days USING btree (customer_id, guest);

alter table guest_days enable row level security;
alter table guest_days force row level security;

create policy app_sees_its_customer on guest_days for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on guest_days for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.guest_days FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on guest_days to foyer_app;

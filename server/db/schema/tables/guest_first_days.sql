-- Written by `npm run tables` from what the migrations made, never by hand.

create table guest_first_days (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  guest bytea not null,
  first_day date not null,
  last_day date not null,
  constraint guest_first_days_customer_id_id_key UNIQUE (customer_id, id),
  constraint guest_first_days_customer_id_property_id_guest_key UNIQUE (customer_id, property_id, guest),
  constraint guest_first_days_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint guest_first_days_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
) with (fillfactor=85);

comment on table guest_first_days is 'When each guest, under a pseudonym, was first and last at a property.';
comment on column guest_first_days.guest is 'The guest''s pseudonym (guest_pseudonym); a random one once they are erased.';
comment on column guest_first_days.last_day is 'The row goes with the days of guests up to it; who comes later counts as new again.';

CREATE INDEX guest_first_days_customer_id_guest_idx ON public.guest_first_days USING btree (customer_id, guest);
CREATE INDEX guest_first_days_customer_id_last_day_idx ON public.guest_first_days USING btree (customer_id, last_day);
CREATE INDEX guest_first_days_customer_id_property_id_first_day_idx ON public.guest_first_days USING btree (customer_id, property_id, first_day);

alter table guest_first_days enable row level security;
alter table guest_first_days force row level security;

create policy app_sees_its_customer on guest_first_days for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on guest_first_days for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.guest_first_days FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on guest_first_days to foyer_app;

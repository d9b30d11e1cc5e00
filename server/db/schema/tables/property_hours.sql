-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_hours (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  hour timestamp with time zone not null,
  online integer not null default 0,
  tries integer not null default 0,
  refused integer not null default 0,
  sessions integer not null default 0,
  online_by_methods jsonb,
  constraint property_hours_pkey PRIMARY KEY (id),
  constraint property_hours_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_hours_customer_id_property_id_hour_key UNIQUE (customer_id, property_id, hour),
  constraint property_hours_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_hours_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
) with (fillfactor=85);

comment on table property_hours is 'How many guests were online at a property in each hour, at most, and how many tried to sign in.';
comment on column property_hours.hour is 'Its beginning.';
comment on column property_hours.online is 'Guests online at once, at most.';
comment on column property_hours.tries is 'Sign-in attempts, but of devices whose guest has not seen the page yet.';
comment on column property_hours.online_by_methods is 'The same among those who signed in by some methods alone: a key is the sum of 2^(method - 1). Null: counted before it was kept.';

CREATE INDEX property_hours_customer_id_hour_property_id_online_tries_re_idx ON public.property_hours USING btree (customer_id, hour) INCLUDE (property_id, online, tries, refused);

alter table property_hours enable row level security;
alter table property_hours force row level security;

create policy app_sees_its_customer on property_hours for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_hours for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_hours FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_hours to foyer_app;

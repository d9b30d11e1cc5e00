-- Written by `npm run tables` from what the migrations made, never by hand.

create table session_days (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  day date not null,
  auth_method_id integer,
  package_id integer,
  sessions integer not null default 0,
  seconds bigint not null default 0,
  bytes_up bigint not null default 0,
  bytes_down bigint not null default 0,
  group_id integer,
  mac_category_id integer,
  constraint session_days_pkey PRIMARY KEY (id),
  constraint session_days_customer_id_id_key UNIQUE (customer_id, id),
  constraint session_days_key UNIQUE NULLS NOT DISTINCT (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id),
  constraint session_days_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint session_days_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint session_days_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
) with (fillfactor=85);

comment on table session_days is 'Sums of sessions by a property''s local day, group, package, way of signing in and category.';
comment on column session_days.day is 'By the property''s clock.';
comment on column session_days.seconds is 'Of that day alone; of all sessions together.';
comment on column session_days.bytes_up is 'From guests.';
comment on column session_days.bytes_down is 'To guests.';
comment on column session_days.group_id is 'Of the property when the session began.';

CREATE INDEX session_days_customer_id_day_idx ON public.session_days USING btree (customer_id, day);

alter table session_days enable row level security;
alter table session_days force row level security;

create policy app_sees_its_customer on session_days for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on session_days for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.session_days FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on session_days to foyer_app;

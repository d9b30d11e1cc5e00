-- Written by `npm run tables` from what the migrations made, never by hand.

create table occupancy_nights (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  night date not null,
  total_units integer,
  occupied_units integer,
  is_holiday boolean not null default false,
  minimum_billable_percentage numeric(5,2) not null,
  holiday_billable_percentage numeric(5,2) not null,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  superseded boolean not null default false,
  known boolean not null generated always as ((occupied_units IS NOT NULL)) stored,
  unknown_because text,
  property_name text not null default ''::text,
  group_id integer,
  accounting_contact_id integer,
  time_zone text not null default 'UTC'::text,
  currency character(3) not null default 'GBP'::bpchar,
  rate_per_unit numeric(14,4) not null default 0,
  holiday text,
  room_numbers text[] not null default '{}'::text[],
  noted_by_user_id integer,
  noted_by text,
  note text,
  constraint occupancy_nights_pkey PRIMARY KEY (id),
  constraint occupancy_nights_customer_id_id_key UNIQUE (customer_id, id),
  constraint occupancy_nights_customer_id_property_id_night_version_key UNIQUE (customer_id, property_id, night, version),
  constraint occupancy_nights_check CHECK (((occupied_units IS NULL) OR (total_units IS NOT NULL))),
  constraint occupancy_nights_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint occupancy_nights_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table occupancy_nights is 'Which rooms were let each night, on which terms. Versions are added, never changed: bills are made from them.';
comment on column occupancy_nights.total_units is 'Null, as all numbers: nobody knows; unknown_because says why.';
comment on column occupancy_nights.version is 'From 1; a correction is one more, and the one before is superseded.';
comment on column occupancy_nights.rate_per_unit is 'For a unit and night, in the currency, as it was then.';

CREATE INDEX occupancy_nights_customer_id_night_idx ON public.occupancy_nights USING btree (customer_id, night);
CREATE INDEX occupancy_nights_customer_id_property_id_created_at_id_idx ON public.occupancy_nights USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX occupancy_nights_customer_id_property_id_night_id_idx ON public.occupancy_nights USING btree (customer_id, property_id, night, id) WHERE (NOT superseded);
CREATE INDEX occupancy_nights_customer_id_property_id_night_idx ON public.occupancy_nights USING btree (customer_id, property_id, night) WHERE ((version > 1) AND (NOT superseded));

alter table occupancy_nights enable row level security;
alter table occupancy_nights force row level security;

create policy app_sees_its_customer on occupancy_nights for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on occupancy_nights for all to foyer_owner using (true) with check (true);

CREATE TRIGGER supersede AFTER INSERT ON public.occupancy_nights FOR EACH ROW WHEN ((new.version > 1)) EXECUTE FUNCTION supersede_nights();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.occupancy_nights FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant insert, select on occupancy_nights to foyer_app;

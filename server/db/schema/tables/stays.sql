-- Written by `npm run tables` from what the migrations made, never by hand.

create table stays (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  room_id integer not null,
  room_number text not null,
  stay_key text,
  arrives_on date,
  departs_on date,
  until_time time(0) without time zone,
  package_id integer,
  devices integer,
  note text,
  group_name text,
  source text not null default 'desk'::text,
  no_show boolean not null default false,
  may_be_charged boolean not null default true,
  told_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  in_dispute boolean not null default false,
  constraint stays_pkey PRIMARY KEY (id),
  constraint stays_customer_id_id_key UNIQUE (customer_id, id),
  constraint stays_devices_check CHECK ((devices > 0)),
  constraint stays_source_check CHECK ((source = ANY (ARRAY['desk'::text, 'import'::text, 'system'::text]))),
  constraint stays_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint stays_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint stays_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint stays_customer_id_room_id_fkey FOREIGN KEY (customer_id, room_id) REFERENCES rooms(customer_id, id) ON DELETE CASCADE
);

comment on table stays is 'Rooms and days, and what the desk gives for them, whoever stays there. Guests who come and leave together share one.';
comment on column stays.stay_key is 'The property system''s own key; null: no system has told it.';
comment on column stays.until_time is 'The time of departure by the property''s clock; null: until the day is over.';
comment on column stays.devices is 'Devices at once that the desk gave; null: as the package says.';
comment on column stays.told_at is 'When the system last told it.';

CREATE INDEX stays_customer_id_coalesce_id_idx ON public.stays USING btree (customer_id, COALESCE(arrives_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX stays_customer_id_coalesce_id_idx1 ON public.stays USING btree (customer_id, COALESCE(departs_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX stays_customer_id_created_at_id_idx ON public.stays USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX stays_customer_id_package_id_idx ON public.stays USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX stays_customer_id_property_id_coalesce_id_idx ON public.stays USING btree (customer_id, property_id, COALESCE(departs_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX stays_customer_id_property_id_created_at_id_idx ON public.stays USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX stays_customer_id_room_id_created_at_id_idx ON public.stays USING btree (customer_id, room_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX stays_no_shows_idx ON public.stays USING btree (customer_id, property_id, departs_on) WHERE no_show;

alter table stays enable row level security;
alter table stays force row level security;

create policy app_sees_its_customer on stays for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on stays for all to foyer_owner using (true) with check (true);

CREATE TRIGGER keep_guests_of_stay AFTER UPDATE OF room_id, arrives_on, departs_on ON public.stays FOR EACH ROW WHEN ((((old.room_id IS DISTINCT FROM new.room_id) OR (old.arrives_on IS DISTINCT FROM new.arrives_on)) OR (old.departs_on IS DISTINCT FROM new.departs_on))) EXECUTE FUNCTION keep_guests_of_stay();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.stays FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on stays to foyer_app;

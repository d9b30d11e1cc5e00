-- Written by `npm run tables` from what the migrations made, never by hand.

create table stay_differences (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  told_stay_id integer not null,
  room_guest_id integer,
  field text not null,
  system text,
  ours text,
  kept boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint stay_differences_pkey PRIMARY KEY (id),
  constraint stay_differences_customer_id_id_key UNIQUE (customer_id, id),
  constraint stay_differences_field_check CHECK ((field = ANY (ARRAY['room'::text, 'arrives_on'::text, 'departs_on'::text, 'until_time'::text, 'presence'::text, 'last_name'::text, 'first_name'::text, 'email'::text, 'mobile_number'::text]))),
  constraint stay_differences_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint stay_differences_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint stay_differences_customer_id_room_guest_id_fkey FOREIGN KEY (customer_id, room_guest_id) REFERENCES room_guests(customer_id, id) ON DELETE CASCADE,
  constraint stay_differences_customer_id_told_stay_id_fkey FOREIGN KEY (customer_id, told_stay_id) REFERENCES told_stays(customer_id, id) ON DELETE CASCADE
);

comment on table stay_differences is 'Where a property''s system says one thing of a stay and a person has said another.';
comment on column stay_differences.kept is 'A person has looked, and ours stays.';

CREATE INDEX stay_differences_customer_id_created_at_id_idx ON public.stay_differences USING btree (customer_id, created_at DESC, id DESC) WHERE (NOT kept);
CREATE INDEX stay_differences_customer_id_property_id_created_at_id_idx ON public.stay_differences USING btree (customer_id, property_id, created_at DESC, id DESC);
CREATE INDEX stay_differences_customer_id_room_guest_id_idx ON public.stay_differences USING btree (customer_id, room_guest_id) WHERE (room_guest_id IS NOT NULL);
CREATE UNIQUE INDEX stay_differences_once ON public.stay_differences USING btree (customer_id, told_stay_id, COALESCE(room_guest_id, 0), field);

alter table stay_differences enable row level security;
alter table stay_differences force row level security;

create policy app_sees_its_customer on stay_differences for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on stay_differences for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.stay_differences FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on stay_differences to foyer_app;

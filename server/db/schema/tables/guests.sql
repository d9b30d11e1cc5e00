-- Written by `npm run tables` from what the migrations made, never by hand.

create table guests (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer,
  auth_method_id integer,
  name text,
  email text,
  mobile_number text,
  language text,
  visits integer not null default 1,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  room_guest_id integer,
  waiting_mac_address macaddr,
  grace_ends_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  search text not null generated always as (search_text((lower((((((' '::text || COALESCE(name, ''::text)) || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(mobile_number, ''::text))) || search_digits(mobile_number)))) stored,
  trial_id integer default app_trial_id(),
  constraint guests_pkey PRIMARY KEY (id),
  constraint guests_customer_id_id_key UNIQUE (customer_id, id),
  constraint guests_auth_method_id_fkey FOREIGN KEY (auth_method_id) REFERENCES auth_methods(id),
  constraint guests_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint guests_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE SET NULL (property_id),
  constraint guests_customer_id_room_guest_id_fkey FOREIGN KEY (customer_id, room_guest_id) REFERENCES room_guests(customer_id, id) ON DELETE SET NULL (room_guest_id)
);

comment on table guests is 'People who signed in at a portal by themselves.';
comment on column guests.visits is 'Sign-ins at a portal.';
comment on column guests.room_guest_id is 'The person of the property''s system who they signed in as, by room and name.';
comment on column guests.waiting_mac_address is 'The device on which an address was typed that nobody has confirmed yet: a claim, which counts for nobody else.';
comment on column guests.grace_ends_at is 'Until when they are online to read the mail that confirms the address.';
comment on column guests.confirmed_at is 'When they proved that the address is theirs.';

CREATE INDEX guests_counted ON public.guests USING btree (customer_id, property_id) WHERE ((deleted_at IS NULL) AND (trial_id IS NULL));
CREATE INDEX guests_customer_id_created_at_id_idx ON public.guests USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX guests_customer_id_lower_idx ON public.guests USING btree (customer_id, lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX guests_customer_id_mobile_number_idx ON public.guests USING btree (customer_id, mobile_number) WHERE (mobile_number IS NOT NULL);
CREATE INDEX guests_customer_id_property_id_created_at_id_idx ON public.guests USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX guests_customer_id_room_guest_id_idx ON public.guests USING btree (customer_id, room_guest_id) WHERE (room_guest_id IS NOT NULL);
CREATE INDEX guests_customer_id_search_customer_id1_idx ON public.guests USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE UNIQUE INDEX guests_email_unique ON public.guests USING btree (customer_id, property_id, lower(email)) WHERE ((deleted_at IS NULL) AND (email IS NOT NULL) AND (confirmed_at IS NOT NULL));
CREATE INDEX guests_last_seen_at_idx ON public.guests USING btree (last_seen_at) WHERE ((waiting_mac_address IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX guests_mobile_number_unique ON public.guests USING btree (customer_id, property_id, mobile_number) WHERE ((deleted_at IS NULL) AND (mobile_number IS NOT NULL) AND (confirmed_at IS NOT NULL));
CREATE INDEX guests_of_subscriber ON public.guests USING btree (customer_id, md5(lower(email))) WHERE ((email IS NOT NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX guests_room_guest_unique ON public.guests USING btree (customer_id, room_guest_id) WHERE ((room_guest_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX guests_trial_id_idx ON public.guests USING btree (trial_id) WHERE (trial_id IS NOT NULL);
CREATE UNIQUE INDEX guests_waiting_unique ON public.guests USING btree (customer_id, property_id, waiting_mac_address) WHERE ((waiting_mac_address IS NOT NULL) AND (deleted_at IS NULL));

alter table guests enable row level security;
alter table guests force row level security;

create policy app_sees_its_customer on guests for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on guests for all to foyer_owner using (true) with check (true);
create policy trials_stand_apart on guests for all to foyer_app using (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials))) with check (((trial_id IS NULL) OR (trial_id = ( SELECT app_trial_id() AS app_trial_id)) OR ( SELECT app_sees_trials() AS app_sees_trials)));

CREATE TRIGGER guests_make_way BEFORE INSERT OR UPDATE OF confirmed_at, room_guest_id ON public.guests FOR EACH ROW WHEN (((app_trial_id() IS NULL) AND ((new.room_guest_id IS NOT NULL) OR (new.confirmed_at IS NOT NULL)))) EXECUTE FUNCTION make_way_for_guest();
CREATE TRIGGER trials_change_their_own BEFORE DELETE OR UPDATE ON public.guests FOR EACH ROW WHEN (((app_trial_id() IS NOT NULL) AND (old.trial_id IS NULL))) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on guests to foyer_app;

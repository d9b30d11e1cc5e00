-- Written by `npm run tables` from what the migrations made, never by hand.

create table room_guests (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  room_id integer not null,
  mobile_number text,
  first_name text,
  last_name text,
  email text,
  external_reference text,
  arrives_on date,
  departs_on date,
  in_dispute boolean not null default false,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  room_number text,
  name text not null generated always as (btrim(((COALESCE(first_name, ''::text) || ' '::text) || COALESCE(last_name, ''::text)))) stored,
  property_id integer not null,
  search text not null generated always as (search_text(((((lower((((((((((' '::text || COALESCE(first_name, ''::text)) || ' '::text) || COALESCE(last_name, ''::text)) || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(mobile_number, ''::text)) || ' '::text) || COALESCE(external_reference, ''::text))) || ' '::text) || COALESCE(room_number, ''::text)) || search_digits(mobile_number)) || search_digits(external_reference)))) stored,
  checked_in_at timestamp with time zone,
  stay_id integer,
  constraint room_guests_pkey PRIMARY KEY (id),
  constraint room_guests_customer_id_id_key UNIQUE (customer_id, id),
  constraint room_guests_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint room_guests_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint room_guests_customer_id_room_id_fkey FOREIGN KEY (customer_id, room_id) REFERENCES rooms(customer_id, id) ON DELETE CASCADE,
  constraint room_guests_customer_id_stay_id_fkey FOREIGN KEY (customer_id, stay_id) REFERENCES stays(customer_id, id) ON DELETE SET NULL (stay_id)
);

comment on table room_guests is 'Guests of rooms, with their days.';

CREATE INDEX room_guests_customer_id_coalesce_id_idx ON public.room_guests USING btree (customer_id, COALESCE(arrives_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_coalesce_id_idx1 ON public.room_guests USING btree (customer_id, COALESCE(departs_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_created_at_id_idx ON public.room_guests USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_external_reference_idx ON public.room_guests USING btree (customer_id, external_reference) WHERE ((external_reference IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX room_guests_customer_id_name_id_idx ON public.room_guests USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_property_id_arrives_on_id_idx ON public.room_guests USING btree (customer_id, property_id, arrives_on, id) WHERE ((deleted_at IS NULL) AND (checked_in_at IS NULL));
CREATE INDEX room_guests_customer_id_property_id_created_at_id_idx ON public.room_guests USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_property_id_departs_on_id_idx ON public.room_guests USING btree (customer_id, property_id, departs_on, id) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_room_id_created_at_id_idx ON public.room_guests USING btree (customer_id, room_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX room_guests_customer_id_search_customer_id1_idx ON public.room_guests USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX room_guests_customer_id_stay_id_idx ON public.room_guests USING btree (customer_id, stay_id) WHERE (stay_id IS NOT NULL);

alter table room_guests enable row level security;
alter table room_guests force row level security;

create policy app_sees_its_customer on room_guests for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on room_guests for all to foyer_owner using (true) with check (true);

CREATE TRIGGER count_arrivals AFTER INSERT ON public.room_guests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER count_departures AFTER DELETE ON public.room_guests REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER count_moves AFTER UPDATE ON public.room_guests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_occupants();
CREATE TRIGGER keep_room_of_guest BEFORE INSERT OR UPDATE OF room_id ON public.room_guests FOR EACH ROW EXECUTE FUNCTION keep_room_of_guest();
CREATE TRIGGER keep_stays_of_arrivals AFTER INSERT ON public.room_guests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_stays_of_rooms();
CREATE TRIGGER keep_stays_of_departures AFTER DELETE ON public.room_guests REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_stays_of_rooms();
CREATE TRIGGER keep_stays_of_guests AFTER UPDATE ON public.room_guests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_stays_of_guests();
CREATE TRIGGER keep_stays_of_moves AFTER UPDATE ON public.room_guests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_stays_of_rooms();
CREATE TRIGGER note_arrival BEFORE INSERT OR UPDATE OF arrives_on ON public.room_guests FOR EACH ROW EXECUTE FUNCTION note_arrival();
CREATE TRIGGER room_guests_changed_events AFTER UPDATE ON public.room_guests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stay_events();
CREATE TRIGGER room_guests_made_events AFTER INSERT ON public.room_guests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stay_events();
CREATE TRIGGER share_stay BEFORE INSERT OR UPDATE ON public.room_guests FOR EACH ROW WHEN ((new.stay_id IS NULL)) EXECUTE FUNCTION share_stay();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.room_guests FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on room_guests to foyer_app;

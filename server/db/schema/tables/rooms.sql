-- Written by `npm run tables` from what the migrations made, never by hand.

create table rooms (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  number text collate room_order not null,
  external_reference text,
  property_id integer not null,
  package_id integer,
  active boolean not null default true,
  draft boolean not null default false,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN draft THEN 'draft'::text
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  occupants integer not null default 0,
  occupancy text not null generated always as (
    CASE
        WHEN (occupants > 0) THEN 'occupied'::text
        ELSE 'vacant'::text
    END) stored,
  number_key text not null generated always as (find_fold(number)) stored,
  search text not null generated always as (search_text((((' '::text || number) || ' '::text) || COALESCE(external_reference, ''::text)))) stored,
  arrives_on date,
  departs_on date,
  barred boolean not null default false,
  do_not_disturb boolean not null default false,
  barred_by integer,
  do_not_disturb_by integer,
  constraint rooms_pkey PRIMARY KEY (id),
  constraint rooms_customer_id_id_key UNIQUE (customer_id, id),
  constraint rooms_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint rooms_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint rooms_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table rooms is 'What a property lets.';
comment on column rooms.occupants is 'Guests and accounts in the room, counted by a trigger.';
comment on column rooms.number_key is 'The number in the form in which it is looked up (find_fold).';
comment on column rooms.barred_by is 'The interface whose system has barred it. Empty: nobody has, or it was said before this column was there.';
comment on column rooms.do_not_disturb_by is 'The interface whose system has said so. Empty: nobody has, or it was said before this column was there.';

CREATE INDEX rooms_customer_id_coalesce_id_idx ON public.rooms USING btree (customer_id, COALESCE(arrives_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_coalesce_id_idx1 ON public.rooms USING btree (customer_id, COALESCE(departs_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_created_at_id_idx ON public.rooms USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_number_id_idx ON public.rooms USING btree (customer_id, number, id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_occupancy_created_at_id_idx ON public.rooms USING btree (customer_id, occupancy, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_occupancy_number_id_idx ON public.rooms USING btree (customer_id, occupancy, number, id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_package_id_idx ON public.rooms USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX rooms_customer_id_property_id_coalesce_id_idx ON public.rooms USING btree (customer_id, property_id, COALESCE(departs_on, 'infinity'::date), id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_property_id_created_at_id_idx ON public.rooms USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_property_id_number_id_idx ON public.rooms USING btree (customer_id, property_id, number, id) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_property_id_number_key_idx ON public.rooms USING btree (customer_id, property_id, number_key) WHERE (deleted_at IS NULL);
CREATE INDEX rooms_customer_id_search_customer_id1_idx ON public.rooms USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX rooms_customer_id_status_created_at_id_idx ON public.rooms USING btree (customer_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX rooms_number_unique ON public.rooms USING btree (customer_id, property_id, lower(btrim(number))) WHERE (deleted_at IS NULL);

alter table rooms enable row level security;
alter table rooms force row level security;

create policy app_sees_its_customer on rooms for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on rooms for all to foyer_owner using (true) with check (true);

CREATE TRIGGER pass_room_number_on AFTER UPDATE OF number ON public.rooms FOR EACH ROW WHEN ((new.number IS DISTINCT FROM old.number)) EXECUTE FUNCTION pass_room_number_on();
CREATE TRIGGER remove_room_guests AFTER UPDATE OF deleted_at ON public.rooms FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION remove_room_guests();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.rooms FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on rooms to foyer_app;

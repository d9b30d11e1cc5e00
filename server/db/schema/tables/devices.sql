-- Written by `npm run tables` from what the migrations made, never by hand.

create table devices (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_id integer not null,
  name text not null,
  external_reference text,
  mac_address macaddr not null,
  mac_category_id integer,
  package_id integer,
  room_id integer,
  accounting_contact_id integer,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  room_number text,
  search text not null generated always as (search_text(((((((((((((' '::text || name) || ' '::text) || COALESCE(external_reference, ''::text)) || ' '::text) || (mac_address)::text) || ' '::text) || replace((mac_address)::text, ':'::text, ''::text)) || ' '::text) || COALESCE(room_number, ''::text)) || search_hex(name)) || search_hex(external_reference)) || search_hex(room_number)))) stored,
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_customer_id_id_key UNIQUE (customer_id, id),
  constraint devices_customer_id_accounting_contact_id_fkey FOREIGN KEY (customer_id, accounting_contact_id) REFERENCES accounting_contacts(customer_id, id) ON DELETE SET NULL (accounting_contact_id),
  constraint devices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint devices_customer_id_mac_category_id_fkey FOREIGN KEY (customer_id, mac_category_id) REFERENCES mac_categories(customer_id, id) ON DELETE SET NULL (mac_category_id),
  constraint devices_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint devices_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint devices_customer_id_room_id_fkey FOREIGN KEY (customer_id, room_id) REFERENCES rooms(customer_id, id) ON DELETE SET NULL (room_id)
);

comment on table devices is 'Devices that go online by their MAC address, without a page, at one property.';

CREATE INDEX devices_customer_id_accounting_contact_id_idx ON public.devices USING btree (customer_id, accounting_contact_id) WHERE (accounting_contact_id IS NOT NULL);
CREATE INDEX devices_customer_id_created_at_id_idx ON public.devices USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX devices_customer_id_mac_category_id_idx ON public.devices USING btree (customer_id, mac_category_id) WHERE (mac_category_id IS NOT NULL);
CREATE INDEX devices_customer_id_name_id_idx ON public.devices USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX devices_customer_id_package_id_idx ON public.devices USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX devices_customer_id_property_id_created_at_id_idx ON public.devices USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX devices_customer_id_property_id_lower_idx ON public.devices USING btree (customer_id, property_id, lower(btrim(name))) WHERE (deleted_at IS NULL);
CREATE INDEX devices_customer_id_room_id_idx ON public.devices USING btree (customer_id, room_id) WHERE (room_id IS NOT NULL);
CREATE INDEX devices_customer_id_search_customer_id1_idx ON public.devices USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX devices_customer_id_status_created_at_id_idx ON public.devices USING btree (customer_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX devices_mac_address_unique ON public.devices USING btree (customer_id, property_id, mac_address) WHERE (deleted_at IS NULL);

alter table devices enable row level security;
alter table devices force row level security;

create policy app_sees_its_customer on devices for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on devices for all to foyer_owner using (true) with check (true);

CREATE TRIGGER change_room_number BEFORE UPDATE OF room_id ON public.devices FOR EACH ROW WHEN ((new.room_id IS DISTINCT FROM old.room_id)) EXECUTE FUNCTION keep_room_number();
CREATE TRIGGER keep_room_number BEFORE INSERT ON public.devices FOR EACH ROW WHEN ((new.room_id IS NOT NULL)) EXECUTE FUNCTION keep_room_number();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.devices FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on devices to foyer_app;

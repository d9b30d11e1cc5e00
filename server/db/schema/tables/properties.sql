-- Written by `npm run tables` from what the migrations made, never by hand.

create table properties (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  external_reference text,
  name text not null,
  address text,
  city text,
  postal_code text,
  email text,
  group_id integer,
  property_type_id integer,
  connectivity_type_id integer,
  portal_id integer,
  country_id integer,
  package_id integer,
  accounting_contact_id integer,
  total_units integer not null default 0,
  minimum_billable_percentage numeric(5,2) not null default 100,
  holiday_billable_percentage numeric(5,2) not null default 100,
  rate_per_unit numeric(14,4) not null default 0,
  max_accounts integer not null default 0,
  time_zone text not null default 'UTC'::text,
  currency character(3),
  send_email boolean not null default false,
  send_sms boolean not null default false,
  mri_enabled boolean not null default false,
  sync_rooms_and_devices boolean not null default false,
  mri_communication boolean not null default false,
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
  dependents_removed_at timestamp with time zone,
  network_name text,
  time_zone_assumed boolean not null default false,
  search text not null generated always as (search_text(lower((((((((((((' '::text || name) || ' '::text) || COALESCE(external_reference, ''::text)) || ' '::text) || COALESCE(address, ''::text)) || ' '::text) || COALESCE(city, ''::text)) || ' '::text) || COALESCE(postal_code, ''::text)) || ' '::text) || COALESCE(email, ''::text))))) stored,
  constraint properties_pkey PRIMARY KEY (id),
  constraint properties_customer_id_id_key UNIQUE (customer_id, id),
  constraint properties_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint properties_holiday_billable_percentage_check CHECK (((holiday_billable_percentage >= (0)::numeric) AND (holiday_billable_percentage <= (100)::numeric))),
  constraint properties_max_accounts_check CHECK ((max_accounts >= 0)),
  constraint properties_minimum_billable_percentage_check CHECK (((minimum_billable_percentage >= (0)::numeric) AND (minimum_billable_percentage <= (100)::numeric))),
  constraint properties_rate_per_unit_check CHECK ((rate_per_unit >= (0)::numeric)),
  constraint properties_time_zone_known CHECK (is_time_zone(time_zone)),
  constraint properties_total_units_check CHECK ((total_units >= 0)),
  constraint properties_connectivity_type_id_fkey FOREIGN KEY (connectivity_type_id) REFERENCES connectivity_types(id),
  constraint properties_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  constraint properties_customer_id_accounting_contact_id_fkey FOREIGN KEY (customer_id, accounting_contact_id) REFERENCES accounting_contacts(customer_id, id) ON DELETE SET NULL (accounting_contact_id),
  constraint properties_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint properties_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE SET NULL (group_id),
  constraint properties_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint properties_customer_id_portal_id_fkey FOREIGN KEY (customer_id, portal_id) REFERENCES portals(customer_id, id) ON DELETE SET NULL (portal_id),
  constraint properties_property_type_id_fkey FOREIGN KEY (property_type_id) REFERENCES property_types(id)
);

comment on table properties is 'Buildings whose guests get Wi-Fi.';
comment on column properties.rate_per_unit is 'For a unit and night, in the property''s currency.';
comment on column properties.max_accounts is 'How many accounts it may have; 0: no limit.';
comment on column properties.dependents_removed_at is 'When all that goes with the removed property was removed, too.';
comment on column properties.time_zone_assumed is 'The zone is that of the country, and nobody has said that it is right.';

CREATE INDEX properties_being_removed ON public.properties USING btree (customer_id) WHERE ((deleted_at IS NOT NULL) AND (dependents_removed_at IS NULL));
CREATE INDEX properties_customer_id_accounting_contact_id_idx ON public.properties USING btree (customer_id, accounting_contact_id) WHERE (accounting_contact_id IS NOT NULL);
CREATE INDEX properties_customer_id_created_at_id_idx ON public.properties USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX properties_customer_id_group_id_created_at_id_idx ON public.properties USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX properties_customer_id_name_id_idx ON public.properties USING btree (customer_id, name, id) WHERE (deleted_at IS NULL);
CREATE INDEX properties_customer_id_package_id_idx ON public.properties USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX properties_customer_id_portal_id_idx ON public.properties USING btree (customer_id, portal_id) WHERE (portal_id IS NOT NULL);
CREATE INDEX properties_customer_id_search_customer_id1_idx ON public.properties USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');
CREATE INDEX properties_customer_id_status_created_at_id_idx ON public.properties USING btree (customer_id, status, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

alter table properties enable row level security;
alter table properties force row level security;

create policy app_sees_its_customer on properties for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on properties for all to foyer_owner using (true) with check (true);

CREATE TRIGGER begin_night_ledger AFTER INSERT ON public.properties FOR EACH ROW WHEN (((NOT new.draft) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION begin_night_ledger();
CREATE TRIGGER begin_night_ledger_of_former_draft AFTER UPDATE OF draft ON public.properties FOR EACH ROW WHEN ((old.draft AND (NOT new.draft) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION begin_night_ledger();
CREATE TRIGGER leave_collections_of_group AFTER UPDATE OF group_id ON public.properties FOR EACH ROW WHEN ((new.group_id IS DISTINCT FROM old.group_id)) EXECUTE FUNCTION leave_collections_of_group();
CREATE TRIGGER properties_changed_states AFTER UPDATE ON public.properties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_properties();
CREATE TRIGGER properties_made_states AFTER INSERT ON public.properties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_states_of_properties();
CREATE TRIGGER schedules_follow_what_they_name AFTER UPDATE OF deleted_at ON public.properties FOR EACH ROW WHEN ((old.deleted_at IS DISTINCT FROM new.deleted_at)) EXECUTE FUNCTION recheck_schedules();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.properties FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on properties to foyer_app;

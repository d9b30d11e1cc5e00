-- Written by `npm run tables` from what the migrations made, never by hand.

create table property_interfaces (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  property_interface_type_id integer not null,
  group_id integer,
  property_id integer,
  owner_package_id integer,
  package_id integer,
  name text,
  host text,
  port integer,
  uuid uuid not null default gen_random_uuid(),
  sales_outlet text,
  check_account_in_dispute boolean not null default false,
  connected_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  last_error text,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  search text not null generated always as (search_text((((((((' '::text || COALESCE(name, ''::text)) || ' '::text) || COALESCE(host, ''::text)) || ' '::text) || COALESCE(sales_outlet, ''::text)) || ' '::text) || (uuid)::text))) stored,
  settings jsonb not null default '{}'::jsonb,
  constraint property_interfaces_pkey PRIMARY KEY (id),
  constraint property_interfaces_customer_id_id_key UNIQUE (customer_id, id),
  constraint property_interfaces_uuid_key UNIQUE (uuid),
  constraint property_interfaces_check CHECK ((num_nonnulls(group_id, property_id, owner_package_id) <= 1)),
  constraint property_interfaces_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint property_interfaces_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint property_interfaces_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint property_interfaces_customer_id_owner_package_id_fkey FOREIGN KEY (customer_id, owner_package_id) REFERENCES packages(customer_id, id) ON DELETE CASCADE,
  constraint property_interfaces_customer_id_package_id_fkey FOREIGN KEY (customer_id, package_id) REFERENCES packages(customer_id, id) ON DELETE SET NULL (package_id),
  constraint property_interfaces_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE,
  constraint property_interfaces_property_interface_type_id_fkey FOREIGN KEY (property_interface_type_id) REFERENCES property_interface_types(id)
);

comment on table property_interfaces is 'Links to properties'' own systems, of a property, a group, a package or the customer.';
comment on column property_interfaces.uuid is 'In the address to which its system posts.';

CREATE INDEX property_interfaces_customer_id_created_at_id_idx ON public.property_interfaces USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX property_interfaces_customer_id_group_id_created_at_id_idx ON public.property_interfaces USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX property_interfaces_customer_id_owner_package_id_idx ON public.property_interfaces USING btree (customer_id, owner_package_id) WHERE (owner_package_id IS NOT NULL);
CREATE INDEX property_interfaces_customer_id_package_id_idx ON public.property_interfaces USING btree (customer_id, package_id) WHERE (package_id IS NOT NULL);
CREATE INDEX property_interfaces_customer_id_property_id_created_at_id_idx ON public.property_interfaces USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX property_interfaces_customer_id_search_customer_id1_idx ON public.property_interfaces USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table property_interfaces enable row level security;
alter table property_interfaces force row level security;

create policy app_sees_its_customer on property_interfaces for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on property_interfaces for all to foyer_owner using (true) with check (true);

CREATE TRIGGER forget_disputes AFTER UPDATE OF active, check_account_in_dispute, deleted_at ON public.property_interfaces FOR EACH ROW WHEN ((NOT (new.active AND new.check_account_in_dispute AND (new.deleted_at IS NULL)))) EXECUTE FUNCTION forget_disputes();
CREATE TRIGGER noted_as_connections AFTER INSERT OR DELETE OR UPDATE OF group_id, property_id, owner_package_id, property_interface_type_id, name, active, deleted_at ON public.property_interfaces FOR EACH ROW EXECUTE FUNCTION note_property_interface();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.property_interfaces FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on property_interfaces to foyer_app;

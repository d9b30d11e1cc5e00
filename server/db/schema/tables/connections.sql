-- Written by `npm run tables` from what the migrations made, never by hand.

create table connections (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  kind text not null,
  own_id integer,
  integration_type text not null,
  name text,
  settings jsonb not null default '{}'::jsonb,
  chosen boolean not null default true,
  connected_at timestamp with time zone,
  synced_at timestamp with time zone,
  last_error text,
  needs_reconnect boolean not null default false,
  failures integer not null default 0,
  active boolean not null default true,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  owner_package_id integer,
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_customer_id_id_key UNIQUE (customer_id, id),
  constraint connections_customer_id_kind_own_id_key UNIQUE (customer_id, kind, own_id),
  constraint connections_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint connections_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint connections_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint connections_customer_id_owner_package_id_fkey FOREIGN KEY (customer_id, owner_package_id) REFERENCES packages(customer_id, id) ON DELETE CASCADE,
  constraint connections_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table connections is 'Connections to the systems of other companies, of every kind, and how each does.';
comment on column connections.kind is 'The word of its kind, as the program declares it.';
comment on column connections.own_id is 'The id by which the calls of its kind know it, in the table of its kind; null: the kind has neither.';
comment on column connections.settings is 'By the keys of the parameters of its provider. Secrets are not among them.';
comment on column connections.chosen is 'Whether a person has chosen what it is to, where there are several.';
comment on column connections.needs_reconnect is 'Consent has ended: nothing is asked until a person gives it anew.';
comment on column connections.failures is 'Tries in vain since one went well.';
comment on column connections.owner_package_id is 'The package that owns it: of property systems alone.';

CREATE INDEX connections_customer_id_created_at_id_idx ON public.connections USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX connections_customer_id_group_id_created_at_id_idx ON public.connections USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX connections_customer_id_owner_package_id_idx ON public.connections USING btree (customer_id, owner_package_id) WHERE (owner_package_id IS NOT NULL);
CREATE INDEX connections_customer_id_property_id_created_at_id_idx ON public.connections USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);

alter table connections enable row level security;
alter table connections force row level security;

create policy app_sees_its_customer on connections for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on connections for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.connections FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on connections to foyer_app;

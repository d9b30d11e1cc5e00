-- Written by `npm run tables` from what the migrations made, never by hand.

create table accounting_integrations (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  integration_type text not null default 'xero'::text,
  name text,
  tenant_id text,
  organisation_id text,
  connected_at timestamp with time zone,
  synced_at timestamp with time zone,
  last_error text,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  scopes text,
  organisations jsonb not null default '[]'::jsonb,
  accounts jsonb not null default '[]'::jsonb,
  tax_types jsonb not null default '[]'::jsonb,
  account_code text,
  tax_type text,
  invoice_per text not null default 'property'::text,
  needs_reconnect boolean not null default false,
  next_sync_at timestamp with time zone,
  failures integer not null default 0,
  contacts_since timestamp with time zone,
  short_code text,
  constraint accounting_integrations_pkey PRIMARY KEY (id),
  constraint accounting_integrations_customer_id_id_key UNIQUE (customer_id, id),
  constraint accounting_integrations_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint accounting_integrations_invoice_per_check CHECK ((invoice_per = ANY (ARRAY['property'::text, 'contact'::text]))),
  constraint accounting_integrations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint accounting_integrations_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint accounting_integrations_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table accounting_integrations is 'Connections to accounting providers, each to one organisation.';
comment on column accounting_integrations.tenant_id is 'The organisation that was chosen at the provider.';
comment on column accounting_integrations.contacts_since is 'Contacts that changed later, by the provider''s clock, are still to be read.';
comment on column accounting_integrations.short_code is 'The provider''s word for the organisation in addresses of its pages.';

CREATE INDEX accounting_integrations_customer_id_created_at_id_idx ON public.accounting_integrations USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounting_integrations_customer_id_group_id_created_at_id_idx ON public.accounting_integrations USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounting_integrations_customer_id_property_id_created_at__idx ON public.accounting_integrations USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounting_integrations_next_sync_at_idx ON public.accounting_integrations USING btree (next_sync_at) WHERE ((next_sync_at IS NOT NULL) AND (deleted_at IS NULL));

alter table accounting_integrations enable row level security;
alter table accounting_integrations force row level security;

create policy app_sees_its_customer on accounting_integrations for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on accounting_integrations for all to foyer_owner using (true) with check (true);

CREATE TRIGGER noted_as_connections AFTER INSERT OR DELETE OR UPDATE ON public.accounting_integrations FOR EACH ROW EXECUTE FUNCTION note_connection('accounting', 'organisation_id');
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.accounting_integrations FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on accounting_integrations to foyer_app;

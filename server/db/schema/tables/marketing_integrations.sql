-- Written by `npm run tables` from what the migrations made, never by hand.

create table marketing_integrations (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  group_id integer,
  property_id integer,
  integration_type text not null default 'mailchimp'::text,
  name text,
  tenant_id text,
  audience_id text,
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
  audiences jsonb not null default '[]'::jsonb,
  needs_reconnect boolean not null default false,
  next_sync_at timestamp with time zone,
  failures integer not null default 0,
  changes_since timestamp with time zone,
  looked_at timestamp with time zone,
  constraint marketing_integrations_pkey PRIMARY KEY (id),
  constraint marketing_integrations_customer_id_id_key UNIQUE (customer_id, id),
  constraint marketing_integrations_check CHECK ((num_nonnulls(group_id, property_id) <= 1)),
  constraint marketing_integrations_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint marketing_integrations_customer_id_group_id_fkey FOREIGN KEY (customer_id, group_id) REFERENCES groups(customer_id, id) ON DELETE CASCADE,
  constraint marketing_integrations_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table marketing_integrations is 'Connections to marketing providers, each to one audience.';
comment on column marketing_integrations.changes_since is 'What changed later at the provider, by its clock, is still to be read.';
comment on column marketing_integrations.looked_at is 'Up to when our own consents were looked through.';

CREATE INDEX marketing_integrations_customer_id_created_at_id_idx ON public.marketing_integrations USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX marketing_integrations_customer_id_group_id_created_at_id_idx ON public.marketing_integrations USING btree (customer_id, group_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX marketing_integrations_customer_id_property_id_created_at_i_idx ON public.marketing_integrations USING btree (customer_id, property_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX marketing_integrations_next_sync_at_idx ON public.marketing_integrations USING btree (next_sync_at) WHERE ((next_sync_at IS NOT NULL) AND (deleted_at IS NULL));

alter table marketing_integrations enable row level security;
alter table marketing_integrations force row level security;

create policy app_sees_its_customer on marketing_integrations for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on marketing_integrations for all to foyer_owner using (true) with check (true);

CREATE TRIGGER noted_as_connections AFTER INSERT OR DELETE OR UPDATE ON public.marketing_integrations FOR EACH ROW EXECUTE FUNCTION note_connection('marketing', 'audience_id');
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.marketing_integrations FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on marketing_integrations to foyer_app;

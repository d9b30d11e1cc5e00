-- Written by `npm run tables` from what the migrations made, never by hand.

create table accounting_contacts (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  accounting_integration_id integer not null,
  external_id text not null,
  name text,
  first_name text,
  last_name text,
  email_address text,
  status text,
  type text,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  merged_into text,
  search text not null generated always as (search_text(lower((((((((' '::text || COALESCE(name, ''::text)) || ' '::text) || COALESCE(first_name, ''::text)) || ' '::text) || COALESCE(last_name, ''::text)) || ' '::text) || COALESCE(email_address, ''::text))))) stored,
  constraint accounting_contacts_pkey PRIMARY KEY (id),
  constraint accounting_contacts_customer_id_accounting_integration_id_e_key UNIQUE (customer_id, accounting_integration_id, external_id),
  constraint accounting_contacts_customer_id_id_key UNIQUE (customer_id, id),
  constraint accounting_contacts_customer_id_accounting_integration_id_fkey FOREIGN KEY (customer_id, accounting_integration_id) REFERENCES accounting_integrations(customer_id, id) ON DELETE CASCADE,
  constraint accounting_contacts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table accounting_contacts is 'A copy of an accounting provider''s contacts; status and type are the provider''s words.';

CREATE INDEX accounting_contacts_customer_id_accounting_integration_id_c_idx ON public.accounting_contacts USING btree (customer_id, accounting_integration_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounting_contacts_customer_id_created_at_id_idx ON public.accounting_contacts USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX accounting_contacts_customer_id_search_customer_id1_idx ON public.accounting_contacts USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint)) WITH (gin_pending_list_limit='1024');

alter table accounting_contacts enable row level security;
alter table accounting_contacts force row level security;

create policy app_sees_its_customer on accounting_contacts for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on accounting_contacts for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.accounting_contacts FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on accounting_contacts to foyer_app;

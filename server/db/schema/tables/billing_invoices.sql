-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_invoices (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  billing_run_id integer not null,
  accounting_integration_id integer,
  accounting_contact_id integer,
  idempotency_key uuid not null default gen_random_uuid(),
  external_id text,
  amount numeric(12,2) not null,
  currency character(3) not null,
  sent_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  constraint billing_invoices_pkey PRIMARY KEY (id),
  constraint billing_invoices_customer_id_billing_run_id_accounting_cont_key UNIQUE (customer_id, billing_run_id, accounting_contact_id, currency),
  constraint billing_invoices_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_invoices_customer_id_accounting_contact_id_fkey FOREIGN KEY (customer_id, accounting_contact_id) REFERENCES accounting_contacts(customer_id, id) ON DELETE SET NULL (accounting_contact_id),
  constraint billing_invoices_customer_id_accounting_integration_id_fkey FOREIGN KEY (customer_id, accounting_integration_id) REFERENCES accounting_integrations(customer_id, id) ON DELETE SET NULL (accounting_integration_id),
  constraint billing_invoices_customer_id_billing_run_id_fkey FOREIGN KEY (customer_id, billing_run_id) REFERENCES billing_runs(customer_id, id) ON DELETE CASCADE,
  constraint billing_invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

CREATE INDEX billing_invoices_customer_id_accounting_contact_id_idx ON public.billing_invoices USING btree (customer_id, accounting_contact_id) WHERE (accounting_contact_id IS NOT NULL);
CREATE INDEX billing_invoices_customer_id_accounting_integration_id_idx ON public.billing_invoices USING btree (customer_id, accounting_integration_id) WHERE (accounting_integration_id IS NOT NULL);

alter table billing_invoices enable row level security;
alter table billing_invoices force row level security;

create policy app_sees_its_customer on billing_invoices for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_invoices for all to foyer_owner using (true) with check (true);

grant delete, insert, select, update on billing_invoices to foyer_app;

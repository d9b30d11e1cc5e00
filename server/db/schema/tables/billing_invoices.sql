-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_invoices (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  billing_run_id integer not null,
  accounting_integration_id integer,
  accounting_contact_id integer,
  idempotency_key uuid not null default gen_random_uuid(),
  external_id text,
  amount numeric not null,
  currency character(3) not null,
  sent_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'invoice'::text,
  state text not null default 'waiting'::text,
  property_id integer,
  property_name text,
  tenant_id text,
  dated_on date not null default CURRENT_DATE,
  account_code text,
  tax_type text,
  number text,
  url text,
  amount_answered numeric,
  tax_answered numeric,
  is_unsure boolean not null default false,
  attempts integer not null default 0,
  next_try_at timestamp with time zone,
  claim uuid,
  claimed_until timestamp with time zone,
  gone_as text,
  replaced_at timestamp with time zone,
  last_fix text,
  asked_by_user_id integer,
  asked_by_key_id integer,
  asked_right text,
  integration_type text not null default 'xero'::text,
  constraint billing_invoices_pkey PRIMARY KEY (id),
  constraint billing_invoices_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_invoices_gone_as_check CHECK ((gone_as = ANY (ARRAY['deleted'::text, 'voided'::text]))),
  constraint billing_invoices_gone_check CHECK (((state = 'gone'::text) = (gone_as IS NOT NULL))),
  constraint billing_invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint billing_invoices_last_fix_check CHECK ((last_fix = ANY (ARRAY['contact'::text, 'connection'::text]))),
  constraint billing_invoices_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'gone'::text]))),
  constraint billing_invoices_customer_id_accounting_contact_id_fkey FOREIGN KEY (customer_id, accounting_contact_id) REFERENCES accounting_contacts(customer_id, id) ON DELETE SET NULL (accounting_contact_id),
  constraint billing_invoices_customer_id_accounting_integration_id_fkey FOREIGN KEY (customer_id, accounting_integration_id) REFERENCES accounting_integrations(customer_id, id) ON DELETE SET NULL (accounting_integration_id),
  constraint billing_invoices_customer_id_billing_run_id_fkey FOREIGN KEY (customer_id, billing_run_id) REFERENCES billing_runs(customer_id, id) ON DELETE CASCADE,
  constraint billing_invoices_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint billing_invoices_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE SET NULL (property_id)
);

comment on table billing_invoices is 'Drafts in the books: an approved run is sent once to each contact.';
comment on column billing_invoices.idempotency_key is 'What the provider takes a repetition by, so that a draft is made once.';
comment on column billing_invoices.tenant_id is 'The organisation that it was sent to, by its id at the provider (integration_type).';
comment on column billing_invoices.is_unsure is 'It was sent and no answer came; it is looked up before it is sent again.';
comment on column billing_invoices.claim is 'The try that is at it, until claimed_until; others leave it alone.';
comment on column billing_invoices.gone_as is 'What the provider says of a draft that was taken away there; it is never taken back.';
comment on column billing_invoices.replaced_at is 'When its lines were asked for anew.';
comment on column billing_invoices.last_fix is 'Where a person mends what the books refused: at the property''s contact, or at the connection.';
comment on column billing_invoices.asked_right is 'The right by which it was asked for; asked again when it goes.';
comment on column billing_invoices.integration_type is 'The provider whose organisation it was sent to, by the word of its definition.';

CREATE INDEX billing_invoices_customer_id_accounting_contact_id_idx ON public.billing_invoices USING btree (customer_id, accounting_contact_id) WHERE (accounting_contact_id IS NOT NULL);
CREATE INDEX billing_invoices_customer_id_accounting_integration_id_idx ON public.billing_invoices USING btree (customer_id, accounting_integration_id) WHERE (accounting_integration_id IS NOT NULL);
CREATE INDEX billing_invoices_customer_id_billing_run_id_state_idx ON public.billing_invoices USING btree (customer_id, billing_run_id, state);
CREATE INDEX billing_invoices_customer_id_created_at_id_idx ON public.billing_invoices USING btree (customer_id, created_at DESC, id DESC);
CREATE INDEX billing_invoices_customer_id_property_id_idx ON public.billing_invoices USING btree (customer_id, property_id) WHERE (property_id IS NOT NULL);

alter table billing_invoices enable row level security;
alter table billing_invoices force row level security;

create policy app_sees_its_customer on billing_invoices for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_invoices for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.billing_invoices FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on billing_invoices to foyer_app;

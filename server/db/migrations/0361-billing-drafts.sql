-- Drafts: what an approved run becomes in the books of an accounting provider, and which lines stand in which draft.

-- tenant_id: the organisation that it is for. is_unsure: it was sent, and nobody knows what became of it; it is looked up before it
-- is sent again. claim, claimed_until: who is at it, and until when others leave it alone. What is sent is kept as it was first
-- asked for (dated_on, account_code, tax_type), for the provider takes a repeated key with the same words alone.
alter table billing_invoices
  drop constraint billing_invoices_customer_id_billing_run_id_accounting_cont_key,
  alter column amount type numeric,
  add column kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  add column state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  add column property_id integer,
  add column property_name text,
  add column tenant_id text,
  add column dated_on date not null default current_date,
  add column account_code text,
  add column tax_type text,
  add column number text,
  add column url text,
  add column amount_answered numeric,
  add column tax_answered numeric,
  add column is_unsure boolean not null default false,
  add column attempts integer not null default 0,
  add column next_try_at timestamptz,
  add column claim uuid,
  add column claimed_until timestamptz,
  add foreign key (customer_id, property_id) references properties (customer_id, id) on delete set null (property_id);
create index on billing_invoices (customer_id, property_id) where property_id is not null;
create index on billing_invoices (customer_id, billing_run_id, state);
select make_list('billing_invoices');

-- A line stands in one draft, which the key says: nothing is sent twice, whoever asks for it.
create table billing_invoice_lines (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  billing_invoice_id integer not null,
  billing_line_id integer not null,
  description text not null,
  amount numeric not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, billing_line_id),
  foreign key (customer_id, billing_invoice_id) references billing_invoices (customer_id, id) on delete cascade,
  foreign key (customer_id, billing_line_id) references billing_lines (customer_id, id) on delete cascade
);
create index on billing_invoice_lines (customer_id, billing_invoice_id, id);
select make_tenant_table('billing_invoice_lines');

-- What a link into the organisation's books begins with, where the provider has such a word.
alter table accounting_integrations add column short_code text;

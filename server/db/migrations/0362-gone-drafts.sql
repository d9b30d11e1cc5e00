-- Gone drafts: what an accountant has deleted or voided in the books is kept here as it was, and its lines can be sent once more.

-- gone_as: what the provider says of it; neither is ever taken back there. replaced_at: its lines were asked for anew.
alter table billing_invoices
  drop constraint billing_invoices_state_check,
  add constraint billing_invoices_state_check check (state in ('waiting', 'sent', 'failed', 'gone')),
  add column gone_as text check (gone_as in ('deleted', 'voided')),
  add column replaced_at timestamptz,
  add constraint billing_invoices_gone_check check ((state = 'gone') = (gone_as is not null));

-- A line stands in one draft that is there. What was released stays as the trace of a draft that is gone.
alter table billing_invoice_lines
  add column released boolean not null default false,
  drop constraint billing_invoice_lines_customer_id_billing_line_id_key;
create unique index billing_invoice_lines_customer_id_billing_line_id_key on billing_invoice_lines (customer_id, billing_line_id)
  where not released;
create index on billing_invoice_lines (customer_id, billing_line_id);

-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_invoice_lines (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  billing_invoice_id integer not null,
  billing_line_id integer not null,
  description text not null,
  amount numeric not null,
  created_at timestamp with time zone not null default now(),
  released boolean not null default false,
  constraint billing_invoice_lines_pkey PRIMARY KEY (id),
  constraint billing_invoice_lines_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_invoice_lines_customer_id_billing_invoice_id_fkey FOREIGN KEY (customer_id, billing_invoice_id) REFERENCES billing_invoices(customer_id, id) ON DELETE CASCADE,
  constraint billing_invoice_lines_customer_id_billing_line_id_fkey FOREIGN KEY (customer_id, billing_line_id) REFERENCES billing_lines(customer_id, id) ON DELETE CASCADE,
  constraint billing_invoice_lines_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table billing_invoice_lines is 'Which lines of a run stand in which draft: a line stands in one alone, so nothing is sent twice.';

CREATE INDEX billing_invoice_lines_customer_id_billing_invoice_id_id_idx ON public.billing_invoice_lines USING btree (customer_id, billing_invoice_id, id);
CREATE INDEX billing_invoice_lines_customer_id_billing_line_id_idx ON public.billing_invoice_lines USING btree (customer_id, billing_line_id);
CREATE UNIQUE INDEX billing_invoice_lines_customer_id_billing_line_id_key ON public.billing_invoice_lines USING btree (customer_id, billing_line_id) WHERE (NOT released);

alter table billing_invoice_lines enable row level security;
alter table billing_invoice_lines force row level security;

create policy app_sees_its_customer on billing_invoice_lines for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_invoice_lines for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.billing_invoice_lines FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on billing_invoice_lines to foyer_app;

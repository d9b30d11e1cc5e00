-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_lines (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  billing_run_id integer not null,
  property_id integer,
  property_name text not null,
  month date not null,
  days_in_month integer not null,
  unit_days integer not null,
  rate_per_unit numeric,
  currency character(3) not null,
  amount numeric not null,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'charge'::text,
  reason text not null default ''::text,
  group_id integer,
  accounting_contact_id integer,
  why_changed text,
  constraint billing_lines_pkey PRIMARY KEY (id),
  constraint billing_lines_customer_id_billing_run_id_property_id_month__key UNIQUE (customer_id, billing_run_id, property_id, month, currency, kind),
  constraint billing_lines_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_lines_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'correction'::text]))),
  constraint billing_lines_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint billing_lines_customer_id_billing_run_id_fkey FOREIGN KEY (customer_id, billing_run_id) REFERENCES billing_runs(customer_id, id) ON DELETE CASCADE,
  constraint billing_lines_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint billing_lines_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE SET NULL (property_id)
);

comment on table billing_lines is 'One property in one calendar month of a run, with the name that the property had.';
comment on column billing_lines.unit_days is 'Nights times units that are billed.';

CREATE INDEX billing_lines_customer_id_property_id_month_idx ON public.billing_lines USING btree (customer_id, property_id, month);

alter table billing_lines enable row level security;
alter table billing_lines force row level security;

create policy app_sees_its_customer on billing_lines for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_lines for all to foyer_owner using (true) with check (true);

CREATE TRIGGER frozen BEFORE INSERT OR DELETE OR UPDATE ON public.billing_lines FOR EACH ROW EXECUTE FUNCTION refuse_change_of_approved_run();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.billing_lines FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on billing_lines to foyer_app;

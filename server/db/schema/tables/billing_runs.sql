-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_runs (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  report_id integer,
  name text not null,
  period_start date not null,
  period_end date not null,
  approved_at timestamp with time zone,
  approved_by_user_id integer,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  property_ids integer[] not null default '{}'::integer[],
  approved_by text,
  constraint billing_runs_pkey PRIMARY KEY (id),
  constraint billing_runs_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_runs_check CHECK ((period_end >= period_start)),
  constraint billing_runs_customer_id_approved_by_user_id_fkey FOREIGN KEY (customer_id, approved_by_user_id) REFERENCES users(customer_id, id) ON DELETE SET NULL (approved_by_user_id),
  constraint billing_runs_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint billing_runs_customer_id_report_id_fkey FOREIGN KEY (customer_id, report_id) REFERENCES reports(customer_id, id) ON DELETE SET NULL (report_id)
);

comment on table billing_runs is 'What properties owe for a period: a draft, or approved and frozen.';
comment on column billing_runs.property_ids is 'The properties that it was drawn for.';

CREATE INDEX billing_runs_customer_id_approved_by_user_id_idx ON public.billing_runs USING btree (customer_id, approved_by_user_id) WHERE (approved_by_user_id IS NOT NULL);
CREATE INDEX billing_runs_customer_id_created_at_id_idx ON public.billing_runs USING btree (customer_id, created_at DESC, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX billing_runs_customer_id_report_id_idx ON public.billing_runs USING btree (customer_id, report_id) WHERE (report_id IS NOT NULL);

alter table billing_runs enable row level security;
alter table billing_runs force row level security;

create policy app_sees_its_customer on billing_runs for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_runs for all to foyer_owner using (true) with check (true);

CREATE TRIGGER billing_runs_changed_events AFTER UPDATE ON public.billing_runs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_run_events();
CREATE TRIGGER frozen BEFORE DELETE OR UPDATE ON public.billing_runs FOR EACH ROW EXECUTE FUNCTION refuse_change_of_approved_run();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.billing_runs FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on billing_runs to foyer_app;

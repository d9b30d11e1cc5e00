-- Written by `npm run tables` from what the migrations made, never by hand.

create table report_stops (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  report_id integer not null,
  email text not null,
  created_at timestamp with time zone not null default now(),
  constraint report_stops_pkey PRIMARY KEY (id),
  constraint report_stops_customer_id_id_key UNIQUE (customer_id, id),
  constraint report_stops_customer_id_report_id_email_key UNIQUE (customer_id, report_id, email),
  constraint report_stops_email_check CHECK ((email = lower(email))),
  constraint report_stops_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint report_stops_customer_id_report_id_fkey FOREIGN KEY (customer_id, report_id) REFERENCES reports(customer_id, id) ON DELETE CASCADE
);

comment on table report_stops is 'Who wants no more reports of a customer. It stays, whatever becomes of the reports.';

alter table report_stops enable row level security;
alter table report_stops force row level security;

create policy app_sees_its_customer on report_stops for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on report_stops for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.report_stops FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on report_stops to foyer_app;

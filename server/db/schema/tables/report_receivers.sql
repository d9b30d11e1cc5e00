-- Written by `npm run tables` from what the migrations made, never by hand.

create table report_receivers (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  email text not null,
  asked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  stopped_at timestamp with time zone,
  goes_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint report_receivers_pkey PRIMARY KEY (id),
  constraint report_receivers_customer_id_email_key UNIQUE (customer_id, email),
  constraint report_receivers_customer_id_id_key UNIQUE (customer_id, id),
  constraint report_receivers_email_check CHECK ((email = lower(email))),
  constraint report_receivers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table report_receivers is 'Recipients of reports who are no users of the customer: asked once, and what they said.';
comment on column report_receivers.asked_at is 'When the question was sent last.';
comment on column report_receivers.stopped_at is 'A no, or a stop; it is final.';
comment on column report_receivers.goes_until is 'Named before there was a question.';

CREATE INDEX report_receivers_customer_id_idx ON public.report_receivers USING btree (customer_id) WHERE ((asked_at IS NULL) AND (confirmed_at IS NULL) AND (stopped_at IS NULL) AND (goes_until IS NOT NULL));

alter table report_receivers enable row level security;
alter table report_receivers force row level security;

create policy app_sees_its_customer on report_receivers for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on report_receivers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.report_receivers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on report_receivers to foyer_app;

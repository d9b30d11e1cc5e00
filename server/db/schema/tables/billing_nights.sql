-- Written by `npm run tables` from what the migrations made, never by hand.

create table billing_nights (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  billing_run_id integer not null,
  billing_line_id integer not null,
  property_id integer not null,
  night date not null,
  version integer not null,
  kind text not null,
  approved boolean not null default false,
  total_units integer not null,
  occupied_units integer not null,
  floor_units integer not null,
  billable_units integer not null,
  percentage numeric(5,2) not null,
  is_holiday boolean not null,
  holiday text,
  rate_per_unit numeric(14,4) not null,
  currency character(3) not null,
  reason text not null,
  room_numbers text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  constraint billing_nights_pkey PRIMARY KEY (id),
  constraint billing_nights_customer_id_id_key UNIQUE (customer_id, id),
  constraint billing_nights_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'correction'::text]))),
  constraint billing_nights_reason_check CHECK ((reason = ANY (ARRAY['occupied'::text, 'minimum'::text, 'holiday'::text]))),
  constraint billing_nights_customer_id_billing_line_id_fkey FOREIGN KEY (customer_id, billing_line_id) REFERENCES billing_lines(customer_id, id) ON DELETE CASCADE,
  constraint billing_nights_customer_id_billing_run_id_fkey FOREIGN KEY (customer_id, billing_run_id) REFERENCES billing_runs(customer_id, id) ON DELETE CASCADE,
  constraint billing_nights_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint billing_nights_customer_id_property_id_fkey FOREIGN KEY (customer_id, property_id) REFERENCES properties(customer_id, id) ON DELETE CASCADE
);

comment on table billing_nights is 'What each night of a line came to, by which version of it. Of an approved run a night is billed once; a correction names it again.';
comment on column billing_nights.version is 'Of the night in occupancy_nights.';
comment on column billing_nights.floor_units is 'The units that the minimum, or the holiday''s percentage, comes to.';
comment on column billing_nights.billable_units is 'The occupied units, at least floor_units and at most all.';
comment on column billing_nights.reason is 'What decided: `occupied`, `minimum` or `holiday`.';

CREATE INDEX billing_nights_customer_id_billing_line_id_night_id_idx ON public.billing_nights USING btree (customer_id, billing_line_id, night, id);
CREATE INDEX billing_nights_customer_id_billing_run_id_idx ON public.billing_nights USING btree (customer_id, billing_run_id);
CREATE INDEX billing_nights_customer_id_property_id_night_idx ON public.billing_nights USING btree (customer_id, property_id, night);
CREATE UNIQUE INDEX billing_nights_once ON public.billing_nights USING btree (customer_id, property_id, night) WHERE (approved AND (kind = 'charge'::text));

alter table billing_nights enable row level security;
alter table billing_nights force row level security;

create policy app_sees_its_customer on billing_nights for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on billing_nights for all to foyer_owner using (true) with check (true);

CREATE TRIGGER frozen BEFORE INSERT OR DELETE OR UPDATE ON public.billing_nights FOR EACH ROW EXECUTE FUNCTION refuse_change_of_approved_run();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.billing_nights FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on billing_nights to foyer_app;

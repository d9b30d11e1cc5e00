-- Written by `npm run tables` from what the migrations made, never by hand.

create table customers (
  id integer not null generated always as identity,
  name text not null,
  contact_email text,
  country_id integer,
  time_zone text not null default 'Europe/London'::text,
  currency character(3) not null default 'GBP'::bpchar,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  status text not null generated always as (
    CASE
        WHEN active THEN 'active'::text
        ELSE 'disabled'::text
    END) stored,
  voucher_batches_made integer not null default 0,
  second_factor_required boolean not null default false,
  confirmed_at timestamp with time zone,
  desk_contact text,
  sessions_kept_since timestamp with time zone,
  sample_of integer,
  sample_day date,
  sums_kept_since date,
  activity_kept_since timestamp with time zone,
  sessions_packed_before timestamp with time zone,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint customers_time_zone_known CHECK (is_time_zone(time_zone)),
  constraint customers_voucher_batches_made_check CHECK ((voucher_batches_made >= 0)),
  constraint customers_country_id_fkey FOREIGN KEY (country_id) REFERENCES countries(id),
  constraint customers_sample_of_fkey FOREIGN KEY (sample_of) REFERENCES customers(id)
);

comment on table customers is 'The operators of guest Wi-Fi, who are kept apart from each other. Each sees its own row alone.';
comment on column customers.confirmed_at is 'When an address of its people was proven: its mails to others wait for that.';
comment on column customers.sessions_kept_since is 'Single sessions that began before may be deleted. Null: none are.';
comment on column customers.sample_of is 'The customer for whose people this sample was made; null: it is none.';
comment on column customers.sample_day is 'Of a sample: the day by which its stays are dated; null: it is being deleted.';
comment on column customers.sums_kept_since is 'The first day of which sums stand; those of days before are deleted. Null: none are.';
comment on column customers.activity_kept_since is 'Lines of the activity log from before are deleted. Null: none are.';
comment on column customers.sessions_packed_before is 'Sessions that ended before may be packed. Null: none are.';

CREATE INDEX customers_sample_of_idx ON public.customers USING btree (sample_of) WHERE (sample_of IS NOT NULL);

alter table customers enable row level security;
alter table customers force row level security;

create policy app_sees_its_customer on customers for all to foyer_app using ((id = ( SELECT app_customer_id() AS app_customer_id))) with check ((id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on customers for all to foyer_owner using (true) with check (true);

CREATE TRIGGER reports_go_by_its_clock AFTER UPDATE OF time_zone ON public.customers FOR EACH ROW WHEN ((old.time_zone IS DISTINCT FROM new.time_zone)) EXECUTE FUNCTION move_due_reports();
CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.customers FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant select, update on customers to foyer_app;

-- Billing runs: whom they are about, lines that charge or correct, and the nights of each.

alter table billing_runs
  add column property_ids integer[] not null default '{}',
  add column approved_by text;

-- Amounts keep the places of their currency. What a property was called and where it belonged stays as it was.
alter table billing_lines
  drop constraint billing_lines_customer_id_billing_run_id_property_id_month_key,
  drop column total_units,
  drop column nights,
  alter column rate_per_unit drop not null,
  alter column rate_per_unit type numeric,
  alter column amount type numeric,
  add column kind text not null default 'charge' check (kind in ('charge', 'correction')),
  add column reason text not null default '',
  add column group_id integer,
  add column accounting_contact_id integer,
  add unique (customer_id, billing_run_id, property_id, month, currency, kind);

-- What each night of a line came to, by which version of it. Of an approved run a night is billed once, and the index says so;
-- a correction names it again.
create table billing_nights (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  billing_run_id integer not null,
  billing_line_id integer not null,
  property_id integer not null,
  night date not null,
  version integer not null,
  kind text not null check (kind in ('charge', 'correction')),
  approved boolean not null default false,
  total_units integer not null,
  occupied_units integer not null,
  floor_units integer not null,
  billable_units integer not null,
  percentage numeric(5, 2) not null,
  is_holiday boolean not null,
  holiday text,
  rate_per_unit numeric(14, 4) not null,
  currency char(3) not null,
  reason text not null check (reason in ('occupied', 'minimum', 'holiday')),
  room_numbers text[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  foreign key (customer_id, billing_run_id) references billing_runs (customer_id, id) on delete cascade,
  foreign key (customer_id, billing_line_id) references billing_lines (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create unique index billing_nights_once on billing_nights (customer_id, property_id, night) where approved and kind = 'charge';
create index on billing_nights (customer_id, property_id, night);
create index on billing_nights (customer_id, billing_line_id, night, id);
create index on billing_nights (customer_id, billing_run_id);
select make_tenant_table('billing_nights');
create trigger frozen before insert or update or delete on billing_nights for each row execute function refuse_change_of_approved_run();

-- Billing: holidays, runs over the kept nights, and the invoices sent to the accounts.

create table property_holidays (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  name text,
  starts_on date not null,
  ends_on date not null,
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, property_id, starts_on, ends_on),
  check (ends_on >= starts_on),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('property_holidays');

create table billing_runs (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  report_id integer,
  name text not null,
  period_start date not null,
  period_end date not null,
  approved_at timestamptz,
  approved_by_user_id integer,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (customer_id, id),
  check (period_end >= period_start),
  foreign key (customer_id, report_id) references reports (customer_id, id) on delete set null (report_id),
  foreign key (customer_id, approved_by_user_id) references users (customer_id, id) on delete set null (approved_by_user_id)
);
create index on billing_runs (customer_id, report_id) where report_id is not null;
create index on billing_runs (customer_id, approved_by_user_id) where approved_by_user_id is not null;
select make_tenant_table('billing_runs'), make_list('billing_runs');

-- One line is one property in one calendar month; `nights` shows each day's arithmetic.
-- The property's name is kept as it was, and the line does not depend on the property any more.
create table billing_lines (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  billing_run_id integer not null,
  property_id integer,
  property_name text not null,
  month date not null check (extract(day from month) = 1),
  days_in_month integer not null,
  total_units integer not null,
  unit_days integer not null,
  rate_per_unit numeric(12, 2) not null,
  currency char(3) not null,
  amount numeric(12, 2) not null,
  nights jsonb not null default '[]',
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, billing_run_id, property_id, month),
  foreign key (customer_id, billing_run_id) references billing_runs (customer_id, id) on delete cascade,
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete set null (property_id)
);
create index on billing_lines (customer_id, property_id, month);
select make_tenant_table('billing_lines');

-- An approved run is frozen. Its lines may only lose the link to an erased property.
create function refuse_change_of_approved_run() returns trigger language plpgsql as $$
declare
  run_id integer := case when tg_table_name = 'billing_runs' then (to_jsonb(old) ->> 'id')::integer
    else (to_jsonb(coalesce(old, new)) ->> 'billing_run_id')::integer end;
  unlinked jsonb := '{"property_id": null, "approved_by_user_id": null, "report_id": null}';
begin
  if tg_op = 'UPDATE' and to_jsonb(new) || unlinked = to_jsonb(old) || unlinked then return new; end if;
  if exists (select from billing_runs
             where customer_id = coalesce(old.customer_id, new.customer_id) and id = run_id and approved_at is not null) then
    raise exception 'an approved billing run cannot be changed' using errcode = 'integrity_constraint_violation',
      constraint = 'billing_runs_frozen';
  end if;
  return coalesce(new, old);
end $$;
create trigger frozen before update or delete on billing_runs for each row execute function refuse_change_of_approved_run();
create trigger frozen before insert or update or delete on billing_lines for each row execute function refuse_change_of_approved_run();

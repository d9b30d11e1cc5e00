-- Reports: a report and its schedule are one record. next_run_at: when it is due. failures: runs that failed since one went well.
-- paused_at: it rests after too many. What its filters are called is worked out when it is read.
alter table report_runs drop column scheduled_report_id;
drop table scheduled_reports;
alter table reports drop column filters_applied;
alter table reports add column next_run_at timestamptz;
alter table reports add column failures integer not null default 0;
alter table reports add column paused_at timestamptz;
alter table reports add column scheduled boolean not null generated always as (coalesce(frequency, 1) <> 1) stored;
alter table reports add check (date_range in ('today', 'yesterday', 'last_7_days', 'last_30_days', 'this_week', 'last_week',
  'this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year', 'custom'));
create index on reports (next_run_at) where deleted_at is null and active and not draft and next_run_at is not null;

-- 2026-11-25T14:03:00+01:00: an instant with the offset of a zone's clock at it.
create function local_moment(instant timestamptz, zone text) returns text language sql stable parallel safe as $$
  select to_char(instant at time zone zone, 'YYYY-MM-DD"T"HH24:MI:SS') || case when minutes < 0 then '-' else '+' end
    || lpad((abs(minutes) / 60)::text, 2, '0') || ':' || lpad((abs(minutes) % 60)::text, 2, '0')
  from (select (extract(epoch from (instant at time zone zone) - (instant at time zone 'UTC')) / 60)::integer as minutes) as o
$$;
grant execute on function local_moment(timestamptz, text) to foyer_app;

-- Report runs: each time a report is made into a file, by a person or by its schedule, and how it is mailed.

-- The day on which a schedule is due next, by the customer's clock; next_run_at is the instant.
alter table reports add column next_due_on date;

-- due_on: the day on which its schedule was due; nothing where a person asked. asked: the fields of what is no record, or that
-- stand in for those of its record. mails: to the report's recipients, once it is made. kept_until: its file is there until then.
-- touched_at: when whoever makes it was last seen at work.
alter table report_runs
  alter column report_id drop not null,
  drop constraint report_runs_outcome_check,
  add check (outcome in ('queued', 'running', 'done', 'failed', 'cancelled')),
  add column group_id integer,
  add column property_id integer,
  add column name text not null,
  add column format text not null check (format in ('xls', 'xlsx', 'csv', 'pdf')),
  add column asked jsonb,
  add column mails boolean not null default false,
  add column due_on date,
  add column attempts integer not null default 0,
  add column progress real check (progress between 0 and 100),
  add column bytes bigint,
  add column touched_at timestamptz not null default now(),
  add column kept_until timestamptz,
  add check (num_nonnulls(group_id, property_id) <= 1),
  add unique (customer_id, report_id, due_on),
  add foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade,
  add foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade;
create index on report_runs (customer_id, group_id) where group_id is not null;
create index on report_runs (customer_id, property_id) where property_id is not null;
create index on report_runs (touched_at) where outcome in ('queued', 'running');
create index on report_runs (kept_until) where file_id is not null;

-- message_key: a mail that has one is written once, and is known by it wherever it arrives a second time. file_id: what is
-- attached. stop_url: where its recipient ends mails of this kind.
alter table outbox_mails
  add column message_key text,
  add column file_id integer,
  add column stop_url text,
  add unique (customer_id, message_key),
  add foreign key (customer_id, file_id) references files (customer_id, id);
create index on outbox_mails (customer_id, file_id) where file_id is not null;

-- Whoever wants no more mails of a report. It stays so, whatever becomes of the report's recipients.
create table report_stops (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  report_id integer not null,
  email text not null check (email = lower(email)),
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, report_id, email),
  foreign key (customer_id, report_id) references reports (customer_id, id) on delete cascade
);
select make_tenant_table('report_stops');

-- Reports that are due, those that have waited longest first.
create function door_due_reports(moment timestamptz, rows_max integer) returns table (customer_id integer, report_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.customer_id, r.id from reports r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.next_run_at <= moment and r.deleted_at is null and r.active and not r.draft and r.paused_at is null
  order by r.next_run_at limit rows_max
$$;

-- Puts runs back in their queue that nobody has been at work on for so long. Who comes too late finds that it is not theirs any more.
create function door_stalled_runs(stalled_s integer, rows_max integer) returns table (customer_id integer, run_id integer)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update report_runs r set touched_at = now(), outcome = 'queued', progress = null
  where r.id in (select s.id from report_runs s
    where s.outcome in ('queued', 'running') and s.touched_at < now() - make_interval(secs => stalled_s)
    order by s.touched_at limit rows_max for update skip locked)
  returning r.customer_id, r.id
$$;

-- Lets go of files that are not kept any more; what nothing points at is removed by the job for files.
create function door_forget_report_files(rows_max integer) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  update report_runs set file_id = null where id in (
    select id from report_runs where file_id is not null and kept_until < now() limit rows_max);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- What a stop link is about; with `stop`, its recipient gets no more mails of it. The link has been found to be ours.
create function door_stop_report(customer integer, report integer, address text, stop boolean)
returns table (report_name text, stopped boolean)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if stop then
    insert into report_stops (customer_id, report_id, email)
      select r.customer_id, r.id, lower(address) from reports r where r.customer_id = customer and r.id = report
      on conflict do nothing;
  end if;
  return query select r.name, exists (select from report_stops s
      where s.customer_id = customer and s.report_id = report and s.email = lower(address))
    from reports r where r.customer_id = customer and r.id = report and r.deleted_at is null;
end $$;
grant execute on function door_due_reports(timestamptz, integer), door_stalled_runs(integer, integer),
  door_forget_report_files(integer), door_stop_report(integer, integer, text, boolean) to foyer_app;

-- A customer that goes by another clock is due by it from then on.
create function move_due_reports() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update reports set next_run_at = (next_due_on + time '06:00') at time zone new.time_zone
    where customer_id = new.id and next_due_on is not null;
  return null;
end $$;
create trigger reports_go_by_its_clock after update of time_zone on customers
  for each row when (old.time_zone is distinct from new.time_zone) execute function move_due_reports();

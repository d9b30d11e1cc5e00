-- Up to which day a run's file is complete, what is missing in it, and the run that was made once all of it had come.

alter table report_runs
  add column complete_to date,
  add column missing text[] not null default '{}',
  -- Set while what is missing may still come: when to look again.
  add column look_again_at timestamptz,
  add column completes_run_id integer,
  add constraint report_runs_completes_fkey foreign key (customer_id, completes_run_id) references report_runs (customer_id, id) on delete cascade,
  add constraint report_runs_completed_once unique (customer_id, completes_run_id);
create index report_runs_look_again_at_idx on report_runs (look_again_at) where look_again_at is not null;

create function door_incomplete_runs(moment timestamptz, rows_max integer) returns table (customer_id integer, run_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.customer_id, r.id from report_runs r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.look_again_at <= moment order by r.look_again_at limit rows_max
$$;
revoke execute on function door_incomplete_runs(timestamptz, integer) from public;

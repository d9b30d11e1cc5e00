-- Written by `npm run tables` from what the migrations made, never by hand.

create table failed_jobs (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  queue text not null,
  name text not null,
  since timestamp with time zone not null default now(),
  constraint failed_jobs_pkey PRIMARY KEY (id),
  constraint failed_jobs_customer_id_id_key UNIQUE (customer_id, id),
  constraint failed_jobs_customer_id_queue_key UNIQUE (customer_id, queue),
  constraint failed_jobs_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table failed_jobs is 'Scheduled work of the whole installation that has failed since. The row goes when it is done again.';

alter table failed_jobs enable row level security;
alter table failed_jobs force row level security;

create policy app_sees_its_customer on failed_jobs for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on failed_jobs for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.failed_jobs FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on failed_jobs to foyer_app;

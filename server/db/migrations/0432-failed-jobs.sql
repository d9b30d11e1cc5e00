-- Failed jobs: scheduled work that has failed since, for who runs the installation. The row goes when the work is done again.

create table failed_jobs (
  id integer generated always as identity primary key,
  -- The first customer of the installation: others could do nothing about it.
  customer_id integer not null references customers,
  queue text not null,
  name text not null,
  since timestamptz not null default now(),
  unique (customer_id, id),
  unique (customer_id, queue)
);
select make_tenant_table('failed_jobs');

create function door_note_job(job text, title text, failed boolean) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if failed then
    insert into failed_jobs (customer_id, queue, name) select min(c.id), job, title from customers c having count(*) > 0
      on conflict (customer_id, queue) do update set name = excluded.name;
  else
    delete from failed_jobs f where f.queue = job;
  end if;
end $$;

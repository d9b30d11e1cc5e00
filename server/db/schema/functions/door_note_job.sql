-- Notes that a job failed, or that it went well again. The customer who runs the installation sees those that fail.

CREATE OR REPLACE FUNCTION public.door_note_job(job text, title text, failed boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if failed then
    insert into failed_jobs (customer_id, queue, name) select min(c.id), job, title from customers c having count(*) > 0
      on conflict (customer_id, queue) do update set name = excluded.name;
  else
    delete from failed_jobs f where f.queue = job;
  end if;
end $function$;

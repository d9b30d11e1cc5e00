-- Goes on deleting what is left of samples that people have taken away, for some seconds. Returns whether there is more. Called by a job.

CREATE OR REPLACE FUNCTION public.door_end_samples()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  sample integer;
begin
  select c.id into sample from customers c where c.sample_of is not null and c.sample_day is null order by c.id limit 1
    for update skip locked;
  if sample is null then return false; end if;
  perform clear_sample(sample, clock_timestamp() + interval '5 seconds');
  return true;
end $function$;

-- Ends the trials whose time is over, with all that they wrote. Returns how many; called by a job.

CREATE OR REPLACE FUNCTION public.door_end_trials()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  one record;
  ended integer := 0;
begin
  for one in select t.customer_id, t.gateway_id from trials t where t.gateway_id is not null and t.ends_at <= now() order by t.id
    for no key update skip locked
  loop
    perform end_trial(one.customer_id, one.gateway_id);
    ended := ended + 1;
  end loop;
  return ended;
end $function$;

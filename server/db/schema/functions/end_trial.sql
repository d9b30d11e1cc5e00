-- Ends a trial: deletes all that it wrote, in whatever table, and its simulated gateway. Nothing else is touched.

CREATE OR REPLACE FUNCTION public.end_trial(customer integer, gateway integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  kept text;
begin
  perform see_trials(true);
  update trials t set gateway_id = null where t.customer_id = customer and t.gateway_id = gateway;
  for kept in select a.attrelid::regclass::text from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'trial_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by a.attrelid::regclass = 'gateways'::regclass, 1
  loop
    execute format('delete from %s where customer_id = $1 and trial_id = $2', kept) using customer, gateway;
  end loop;
  perform see_trials(false);
end $function$;

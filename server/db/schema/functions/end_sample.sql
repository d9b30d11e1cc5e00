-- The sample of the caller's customer goes whole: every row of every table. Returns whether there was one.
-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.end_sample()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  own integer := app_customer_id();
  sample integer;
  kept regclass;
  gone bigint;
  busy boolean := true;
begin
  perform from customers c where c.id = own for no key update;
  select c.id into sample from customers c where c.sample_of = own;
  if sample is null then return false; end if;
  perform set_config('app.customer_id', sample::text, true);
  perform see_trials(true);
  -- Again as long as anything went: a row goes after those that refer to it, and what goes may be noted elsewhere.
  while busy loop
    busy := false;
    for kept in select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'customer_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = 'public'::regnamespace order by a.attrelid::regclass::text
    loop
      begin
        execute format('delete from %s where customer_id = $1', kept) using sample;
        get diagnostics gone = row_count;
        busy := busy or gone > 0;
      exception when foreign_key_violation then
        null;
      end;
    end loop;
  end loop;
  delete from customers c where c.id = sample;
  perform see_trials(false);
  perform set_config('app.customer_id', own::text, true);
  return true;
end $function$
;

grant execute on function end_sample() to foyer_app;

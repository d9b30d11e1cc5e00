-- Deletes the rows of a sample, some thousands at a time, until the given moment at the latest; the customer when none is left. Returns
-- whether it is gone. Rows that others refer to go after those: by their keys a single one could take hundreds of thousands along. Called
-- by end_sample and door_end_samples.

CREATE OR REPLACE FUNCTION public.clear_sample(sample integer, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  before text := current_setting('app.customer_id', true);
  kept regclass;
  -- Tables that have rows of it.
  holding regclass[];
  has_rows boolean;
  gone bigint;
  busy boolean := true;
  is_empty boolean := false;
  patient boolean := true;
begin
  perform set_config('app.customer_id', sample::text, true);
  perform see_trials(true);
  while busy and clock_timestamp() < until loop
    busy := false;
    holding := '{}';
    -- Looked for each time: what goes may be noted elsewhere.
    for kept in select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'customer_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = 'public'::regnamespace order by a.attrelid::regclass::text
    loop
      execute format('select exists (select from %s where customer_id = $1)', kept) into has_rows using sample;
      if has_rows then holding := holding || kept; end if;
    end loop;
    is_empty := holding = '{}';
    foreach kept in array holding loop
      continue when patient and exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = kept
        and f.conrelid <> kept and f.conrelid = any (holding));
      gone := 1;
      while gone > 0 and clock_timestamp() < until loop
        begin
          execute format('delete from %1$s where customer_id = $1 and ctid = any (array(select ctid from %1$s
            where customer_id = $1 limit 2000))', kept) using sample;
          get diagnostics gone = row_count;
          busy := busy or gone > 0;
        exception when foreign_key_violation then
          gone := 0;
        end;
      end loop;
    end loop;
    -- Those that are left refer to each other: then whatever may go goes.
    if patient and not busy and holding <> '{}' then
      patient := false;
      busy := true;
    end if;
  end loop;
  if is_empty then delete from customers c where c.id = sample; end if;
  perform see_trials(false);
  perform set_config('app.customer_id', coalesce(before, ''), true);
  return is_empty;
end $function$;

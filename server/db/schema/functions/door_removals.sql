-- Deletes softly what goes with a property that was removed, rows_max rows of one table in each call, and notes when all are gone. Returns
-- whether there is more; called by a job.

CREATE OR REPLACE FUNCTION public.door_removals(rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  gone record;
  entity text;
  marked integer;
begin
  select p.customer_id, p.id, p.deleted_at into gone from properties p
    where p.deleted_at is not null and p.dependents_removed_at is null
    order by p.id limit 1 for no key update skip locked;
  if not found then return false; end if;
  -- The tables of `goWithProperty` in server/access/tenancy.ts.
  foreach entity in array array['accounts', 'devices', 'rooms', 'stays', 'voucher_batches', 'gateways', 'property_interfaces'] loop
    execute format('update %1$I set deleted_at = $1 where customer_id = $2 and id in (
      select id from %1$I where customer_id = $2 and property_id = $3 and deleted_at is null limit $4)', entity)
      using gone.deleted_at, gone.customer_id, gone.id, rows_max;
    get diagnostics marked = row_count;
    if marked > 0 then return true; end if;
  end loop;
  update properties set dependents_removed_at = now() where customer_id = gone.customer_id and id = gone.id;
  return true;
end $function$;

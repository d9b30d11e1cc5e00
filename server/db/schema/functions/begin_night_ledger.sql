-- Trigger of a property that is made, or is no draft any more: begins its ledger of nights with the present date by the property's clock.
-- One that has a ledger keeps it.

CREATE OR REPLACE FUNCTION public.begin_night_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  today constant date := local_day(app_now(), new.time_zone);
begin
  insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
    values (new.customer_id, new.id, today, today, today - 1)
    on conflict (customer_id, property_id) do nothing;
  return null;
end $function$;

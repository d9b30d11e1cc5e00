-- Trigger of a night that is corrected: earlier versions of it in the ledger are marked as superseded.

CREATE OR REPLACE FUNCTION public.supersede_nights()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update occupancy_nights as t set superseded = true
    where t.customer_id = new.customer_id and t.property_id = new.property_id and t.night = new.night
      and t.version < new.version and not t.superseded;
  return null;
end $function$;

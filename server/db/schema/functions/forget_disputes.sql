-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.forget_disputes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update stays s set in_dispute = false from told_stays w
  where w.customer_id = new.customer_id and w.property_interface_id = new.id and s.customer_id = w.customer_id
    and s.property_id = w.property_id and s.stay_key = w.stay_key and s.in_dispute;
  update rooms r set barred = false
  where r.customer_id = new.customer_id and r.barred and r.property_id in (
    select w.property_id from told_stays w where w.customer_id = new.customer_id and w.property_interface_id = new.id);
  return null;
end $function$;

-- Trigger of a customer with another time zone: schedules are due at six in the morning by the new one.

CREATE OR REPLACE FUNCTION public.move_due_reports()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update reports set next_run_at = (next_due_on + time '06:00') at time zone new.time_zone
    where customer_id = new.id and next_due_on is not null;
  return null;
end $function$;

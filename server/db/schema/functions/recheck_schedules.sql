-- Trigger of what schedules depend on, when it is deleted or, of users, changed: the rights of their owners are checked before they run
-- again.

CREATE OR REPLACE FUNCTION public.recheck_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update reports set owner_checked_at = null
    where customer_id = new.customer_id and deleted_at is null and scheduled and owner_checked_at is not null;
  return null;
end $function$;

-- Trigger of a property interface that no longer checks disputes: its guests may go online again, and the rooms that it barred are open.

CREATE OR REPLACE FUNCTION public.forget_disputes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not (old.active and old.check_account_in_dispute and old.deleted_at is null) then return null; end if;
  -- By its guests: one of them may have a stay of their own by now.
  update stays s set in_dispute = false
  where s.customer_id = new.customer_id and s.in_dispute and s.id = any(array(
    select g.stay_id from room_guests g where g.customer_id = new.customer_id and g.id = any(array(
      select (a.guest ->> 'id')::integer from told_stays w, jsonb_array_elements(w.applied -> 'guests') as a(guest)
      where w.customer_id = new.customer_id and w.property_interface_id = new.id))));
  update rooms r set barred = false, barred_by = null
  where r.customer_id = new.customer_id and r.barred and (r.barred_by = new.id or r.barred_by is null and r.property_id in (
    select w.property_id from told_stays w where w.customer_id = new.customer_id and w.property_interface_id = new.id));
  return null;
end $function$;

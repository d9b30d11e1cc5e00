-- Trigger of a stay that has another room or other days: its guests have them, too.

CREATE OR REPLACE FUNCTION public.keep_guests_of_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update room_guests as g set room_id = new.room_id, arrives_on = new.arrives_on, departs_on = new.departs_on
    where g.customer_id = new.customer_id and g.stay_id = new.id and g.deleted_at is null
      and (g.room_id, g.arrives_on, g.departs_on) is distinct from (new.room_id, new.arrives_on, new.departs_on);
  return null;
end $function$;

-- Trigger of a room that is deleted: its guests are, too.

CREATE OR REPLACE FUNCTION public.remove_room_guests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update room_guests set deleted_at = new.deleted_at
    where customer_id = new.customer_id and room_id = new.id and deleted_at is null;
  return null;
end $function$;

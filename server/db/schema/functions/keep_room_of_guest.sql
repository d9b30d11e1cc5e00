-- Trigger of room guests: the number and the property of their room stand in the row, so that lists are read without the room.

CREATE OR REPLACE FUNCTION public.keep_room_of_guest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select r.number, r.property_id into new.room_number, new.property_id from rooms as r
    where r.customer_id = new.customer_id and r.id = new.room_id;
  return new;
end $function$;

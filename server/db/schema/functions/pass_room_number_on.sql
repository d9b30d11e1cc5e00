-- Trigger of a room with another number: accounts, guests, stays and devices have it in their rows, too.

CREATE OR REPLACE FUNCTION public.pass_room_number_on()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update accounts set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update room_guests set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update stays set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update devices set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  return null;
end $function$;

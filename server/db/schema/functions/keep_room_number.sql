-- Trigger of accounts and devices: their room's number stands in the row, so that lists are sorted and searched by it.

CREATE OR REPLACE FUNCTION public.keep_room_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.room_number := (select r.number from rooms as r where r.customer_id = new.customer_id and r.id = new.room_id);
  return new;
end $function$;

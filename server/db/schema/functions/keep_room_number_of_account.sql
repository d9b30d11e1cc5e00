-- Trigger of an account that has moved: its room's number stands in the row, so that lists are sorted and searched by it. After the update:
-- a trigger before each would have the generated columns worked out again each time.

CREATE OR REPLACE FUNCTION public.keep_room_number_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update accounts as t
    set room_number = (select r.number from rooms as r where r.customer_id = new.customer_id and r.id = new.room_id)
    where t.customer_id = new.customer_id and t.id = new.id;
  return null;
end $function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.keep_room_of_guest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select r.number, r.property_id into new.room_number, new.property_id from rooms as r
    where r.customer_id = new.customer_id and r.id = new.room_id;
  return new;
end $function$;

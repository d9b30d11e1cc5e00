-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

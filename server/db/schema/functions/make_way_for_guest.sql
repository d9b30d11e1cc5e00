-- Trigger of guests who stay in a room or have confirmed their address: a guest of a trial with the same one goes.

CREATE OR REPLACE FUNCTION public.make_way_for_guest()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform give_way(new.customer_id, new.property_id, new.room_guest_id, new.email, new.mobile_number);
  return new;
end $function$;

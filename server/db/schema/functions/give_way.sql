-- Deletes the guest of a trial that has the room guest or the address of one who is real. Called by make_way_for_guest, so that a trial
-- hinders nobody.

CREATE OR REPLACE FUNCTION public.give_way(customer integer, property integer, room_guest integer, address text, number text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform see_trials(true);
  delete from guests t where t.trial_id is not null and t.customer_id = customer and (t.room_guest_id = room_guest
    or t.property_id = property and (lower(t.email) = lower(address) or t.mobile_number = number));
  perform see_trials(false);
end $function$
;

grant execute on function give_way(integer,integer,integer,text,text) to foyer_app;

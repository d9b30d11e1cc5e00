-- Gives the days of guests and devices of the caller's customer to pseudonyms of nobody, so that sums stay and say nothing of them. Called
-- by erase_guests.

CREATE OR REPLACE FUNCTION public.unlink_guest_days(guests bigint[], devices macaddr[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  one bytea;
  nobody bytea;
begin
  for one in
    select guest_pseudonym(customer, g, null, null, null, null) from unnest(guests) as g
    union select guest_pseudonym(customer, null, null, null, null, m) from unnest(devices) as m
    order by 1
  loop
    nobody := uuid_send(gen_random_uuid());
    update guest_first_days set guest = nobody where customer_id = customer and guest = one;
    update guest_days set guest = nobody where customer_id = customer and guest = one;
  end loop;
end $function$;

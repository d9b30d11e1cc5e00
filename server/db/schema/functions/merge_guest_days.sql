-- What is kept by guest and is no row that they may change, when one turns out to be another: their days, what they have used, the answers
-- to their device, by the Class of which its sessions are known, and their sessions that are packed. Called when an address is confirmed
-- that is known.

CREATE OR REPLACE FUNCTION public.merge_guest_days(merged bigint, known bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  one constant bytea := guest_pseudonym(customer, merged, null, null, null, null);
  other constant bytea := guest_pseudonym(customer, known, null, null, null, null);
begin
  insert into guest_first_days as t (customer_id, property_id, guest, first_day, last_day)
    select customer_id, property_id, other, first_day, last_day from guest_first_days where customer_id = customer and guest = one
    on conflict (customer_id, property_id, guest) do update set
      first_day = least(t.first_day, excluded.first_day), last_day = greatest(t.last_day, excluded.last_day);
  insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
    select customer_id, property_id, day, other, auth_method_id, false from guest_days where customer_id = customer and guest = one
    on conflict (customer_id, property_id, day, guest, auth_method_id) do nothing;
  update guest_days t set first_seen = (t.day = f.first_day) from guest_first_days f
    where t.customer_id = customer and t.guest = other and f.customer_id = customer and f.property_id = t.property_id and f.guest = other;
  insert into usage_periods as t (customer_id, guest_id, starts_at, seconds_used, bytes_used)
    select customer_id, known, starts_at, seconds_used, bytes_used from usage_periods where customer_id = customer and guest_id = merged
    on conflict (customer_id, account_id, voucher_id, device_id, guest_id, starts_at) do update set
      seconds_used = t.seconds_used + excluded.seconds_used, bytes_used = t.bytes_used + excluded.bytes_used;
  delete from usage_periods where customer_id = customer and guest_id = merged;
  update radius_authorisations a set guest_id = known from guests g
    where g.customer_id = customer and g.id = merged and a.customer_id = customer and a.mac_address = g.waiting_mac_address
      and a.created_at >= g.first_seen_at and a.guest_id = merged;
  -- None of them began before the guest was there, so hardly ever is a row read.
  update packed_sessions k set guest_ids = array_replace(k.guest_ids, merged, known) from guests g
    where g.customer_id = customer and g.id = merged and k.customer_id = customer and k.property_id = g.property_id
      and k.over_at >= g.first_seen_at and k.guest_ids && array[merged];
  delete from guest_days where customer_id = customer and guest = one;
  delete from guest_first_days where customer_id = customer and guest = one;
end $function$
;

grant execute on function merge_guest_days(bigint,bigint) to foyer_app;

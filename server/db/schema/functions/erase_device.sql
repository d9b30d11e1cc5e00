-- Erases what is kept of a device of a guest of the caller's customer: in sessions it gets the address of nobody; attempts, passes, codes,
-- consents and counted tries of it go. Called by erase_guests.

CREATE OR REPLACE FUNCTION public.erase_device(device macaddr, nobody macaddr)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
begin
  -- Reported before anybody signed in there: gateways write the device's address as a name, too.
  delete from session_addresses a using radius_sessions s
    where a.customer_id = customer and s.customer_id = customer and a.radius_session_id = s.id and s.mac_address = device
      and s.guest_id is null and s.account_id is null and s.voucher_id is null and s.device_id is null;
  update radius_sessions set ipv6 = '{}', identifier = null, username = null, ip = null, session_key = 'erased ' || id,
      acct_session_id = 'erased'
    where customer_id = customer and mac_address = device
      and guest_id is null and account_id is null and voucher_id is null and device_id is null;
  update radius_sessions set mac_address = nobody, calling_station = null, box_session = null
    where customer_id = customer and mac_address = device;
  update guest_devices set mac_address = nobody where customer_id = customer and mac_address = device;
  delete from radius_authorisations where customer_id = customer and mac_address = device;
  delete from consent_records where customer_id = customer and mac_address = device and guest_id is null;
  delete from access_passes where customer_id = customer and mac_address = device;
  delete from one_time_codes where customer_id = customer and mac_address = device;
  delete from rate_limits where key like 'customer ' || customer || ' sign-in ' || device || ':%';
  delete from used_quotas where customer_id = customer and quota in ('mails for ' || device, 'texts for ' || device);
end $function$;

-- Erases the personal data of guests of the caller's customer, for good: contact, devices, attempts, consents, mails, what the log and
-- files of reports say of them. What they used stays without a name, so that sums do not change. Called from the list of guests; while it
-- runs no report is begun and nothing packed.

CREATE OR REPLACE FUNCTION public.erase_guests(guests bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  addresses text[];
  -- As guests of rooms are tried under: the room's number, and a name.
  stays text[];
  devices text[] := '{}';
  places integer[];
  their_stays integer[];
  device macaddr;
  nobody macaddr;
  nobodies macaddr[] := '{}';
begin
  -- No report is begun meanwhile that could read them still.
  perform pg_advisory_xact_lock(hashtext('erase guests'), customer);
  -- Nothing of the customer is packed meanwhile: what has just left the table would be found in neither.
  perform pg_advisory_xact_lock_shared(hashtext('pack sessions'), customer);
  select coalesce(array_agg(lower(a.address)), '{}'), coalesce(array_agg(distinct g.property_id), '{}') into addresses, places
    from guests g cross join lateral unnest(array[g.email, g.mobile_number]) as a(address)
    where g.customer_id = customer and g.id = any (erase_guests.guests);
  select coalesce(array_agg(lower(r.number || ', ' || n.name)), '{}') into stays
    from guests g
    join room_guests s on s.customer_id = g.customer_id and s.id = g.room_guest_id
    join rooms r on r.customer_id = s.customer_id and r.id = s.room_id
    cross join lateral unnest(array[g.name, s.name, s.last_name]) as n(name)
    where g.customer_id = customer and g.id = any (erase_guests.guests) and n.name is not null;
  for device in
    select distinct m.mac_address from (
      select d.mac_address from guest_devices d where d.customer_id = customer and d.guest_id = any (erase_guests.guests)
      union all select s.mac_address from radius_sessions s where s.customer_id = customer and s.guest_id = any (erase_guests.guests)
      union all select u.mac from packed_sessions k cross join lateral unnest(k.guest_ids, k.mac_addresses) as u(guest, mac)
        where k.customer_id = customer and k.guest_ids && erase_guests.guests and u.guest = any (erase_guests.guests)
      union all select r.mac_address from consent_records r where r.customer_id = customer and r.guest_id = any (erase_guests.guests)
      union all select g.waiting_mac_address from guests g where g.customer_id = customer and g.id = any (erase_guests.guests)
    ) m where m.mac_address is not null
  loop
    devices := devices || device::text;
    -- Of twelve digits the first two say that it is local.
    nobody := ('02' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 10))::macaddr;
    nobodies := nobodies || nobody;
    perform erase_device(device, nobody);
  end loop;
  update radius_sessions set identifier = null, username = null, ip = null, session_key = 'erased ' || id, acct_session_id = 'erased'
    where customer_id = customer and guest_id = any (erase_guests.guests);
  perform erase_packed_sessions(erase_guests.guests, devices::macaddr[], nobodies);
  perform unlink_guest_days(erase_guests.guests, devices::macaddr[]);
  perform erase_reports_of(erase_guests.guests, nobodies);
  delete from session_addresses a using radius_sessions s
    where a.customer_id = customer and s.customer_id = customer and a.radius_session_id = s.id and s.guest_id = any (erase_guests.guests);
  update radius_sessions set ipv6 = '{}', calling_station = null, box_session = null
    where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from guest_devices where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from consent_records where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from access_passes where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from one_time_codes where customer_id = customer
    and (guest_id = any (erase_guests.guests) or lower(address) = any (addresses));
  -- What was tried with the address on other devices: attempts are kept for some weeks, read by property from the newest.
  delete from radius_authorisations where customer_id = customer and property_id = any (places)
    and lower(identifier) = any (addresses || stays);
  -- What an endpoint answered may repeat what it was told of them.
  update webhook_deliveries d set answer = null from events e
    where d.customer_id = customer and e.customer_id = customer and e.id = d.event_id and e.guest_id = any (erase_guests.guests)
      and d.answer is not null;
  delete from outbox_mails where customer_id = customer and lower(recipient_email) = any (addresses);
  delete from outbox_texts where customer_id = customer and mobile_number = any (addresses);
  delete from used_quotas where customer_id = customer and quota = any (
    select word || address from unnest(addresses) as address, unnest(array['mails to ', 'texts to ']) as word);
  perform erase_log_of(erase_guests.guests, addresses, stays, devices, nobodies);
  -- What the desk wrote of their stay, and the group they came with, also where the log tells of it.
  select coalesce(array_agg(distinct s.stay_id), '{}') into their_stays
    from guests g join room_guests s on s.customer_id = g.customer_id and s.id = g.room_guest_id
    where g.customer_id = customer and g.id = any (erase_guests.guests) and s.stay_id is not null;
  update stays set note = null, group_name = null where customer_id = customer and id = any (their_stays);
  update activity set before = before - array['note', 'group_name'], after = after - array['note', 'group_name']
    where customer_id = customer and object_type = 'stays' and object_id = any (their_stays);
  update guests set name = null, email = null, mobile_number = null, language = null, room_guest_id = null,
      waiting_mac_address = null, grace_ends_at = null, deleted_at = coalesce(deleted_at, now())
    where customer_id = customer and id = any (erase_guests.guests);
  perform erase_from_audiences(erase_guests.guests);
end $function$
;

grant execute on function erase_guests(bigint[]) to foyer_app;

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
  -- What they are searched by.
  words text[];
  places integer[];
  their_stays integer[];
  device macaddr;
  nobody macaddr;
  nobodies macaddr[] := '{}';
  -- When they were, as far as single sessions say.
  online tstzmultirange;
  files_naming integer[];
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
    -- Reported before anybody signed in there: gateways write the device's address as a name, too.
    delete from session_addresses a using radius_sessions s
      where a.customer_id = customer and s.customer_id = customer and a.radius_session_id = s.id and s.mac_address = device
        and s.guest_id is null and s.account_id is null and s.voucher_id is null and s.device_id is null;
    update radius_sessions set ipv6 = '{}', identifier = null, username = null, ip = null, session_key = 'erased ' || id,
        acct_session_id = 'erased'
      where customer_id = customer and mac_address = device
        and guest_id is null and account_id is null and voucher_id is null and device_id is null;
    -- Of twelve digits the first two say that it is local.
    nobody := ('02' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 10))::macaddr;
    nobodies := nobodies || nobody;
    update radius_sessions set mac_address = nobody, calling_station = null, box_session = null
      where customer_id = customer and mac_address = device;
    update guest_devices set mac_address = nobody where customer_id = customer and mac_address = device;
    delete from radius_authorisations where customer_id = customer and mac_address = device;
    delete from consent_records where customer_id = customer and mac_address = device and guest_id is null;
    delete from access_passes where customer_id = customer and mac_address = device;
    delete from one_time_codes where customer_id = customer and mac_address = device;
    delete from rate_limits where key like 'customer ' || customer || ' sign-in ' || device || ':%';
    delete from used_quotas where customer_id = customer and quota in ('mails for ' || device, 'texts for ' || device);
  end loop;
  update radius_sessions set identifier = null, username = null, ip = null, session_key = 'erased ' || id, acct_session_id = 'erased'
    where customer_id = customer and guest_id = any (erase_guests.guests);
  perform erase_packed_sessions(erase_guests.guests, devices::macaddr[], nobodies);
  perform unlink_guest_days(erase_guests.guests, devices::macaddr[]);
  -- A report that is being made has perhaps read them: it is made anew.
  update report_runs set outcome = 'queued', progress = null, attempts = attempts + 1, touched_at = now()
    where id = any (array(
      select r.id from report_runs r where r.customer_id = customer and r.outcome = 'running' order by r.id for no key update));
  -- One that names guests, of days on which one of them was online: its file goes, from mails that are to take it along, too. By UTC, a
  -- day of a property begins and ends within a day of its date. Whose sessions are no longer kept may be in any file of their days.
  select range_agg(tstzrange(began_at, greatest(began_at, over_at), '[]')) into online from (
    select s.started_at as began_at, coalesce(s.stopped_at, s.last_seen_at) as over_at from radius_sessions s
      where s.customer_id = customer and (s.guest_id = any (erase_guests.guests) or s.mac_address = any (nobodies))
    union all select k.began_at, k.over_at from packed_sessions k
      where k.customer_id = customer and (k.guest_ids && erase_guests.guests or k.mac_addresses && nobodies)) as theirs;
  with naming as (
    select r.id, r.file_id from report_runs r join customers c on c.id = r.customer_id
      cross join lateral (select (r.period_start - 1)::timestamp at time zone 'UTC' as first,
        (r.period_end + 2)::timestamp at time zone 'UTC' as last) as days
      where r.customer_id = customer and r.names_guests and r.file_id is not null
        and (tstzrange(days.first, days.last) && online or days.first < c.sessions_kept_since)
      order by r.id for no key update of r),
    gone as (update report_runs r set file_id = null from naming where r.id = naming.id)
  select coalesce(array_agg(file_id), '{}') into files_naming from naming;
  update outbox_mails set file_id = null, good_until = now() where customer_id = customer and file_id = any (files_naming);
  delete from files where customer_id = customer and id = any (files_naming);
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
  -- Where the desk has sent something to, helped with a device, or searched, the log says that it was done, and to nobody by name. The
  -- keys are those of server/entities/activity-log.ts, and of an index.
  words := array(select translate(find_fold(w.word), ':', '')
    from guests g cross join lateral unnest(array[g.name, g.email, g.mobile_number] || devices) as w(word)
    where g.customer_id = customer and g.id = any (erase_guests.guests) and w.word is not null);
  update activity
    set after = after - array['mailed_to', 'sign_in_mailed_to', 'slip_sent_to', 'let_try_again', 'device_forgotten', 'searchValue']
    where customer_id = customer
      and after ?| array['mailed_to', 'sign_in_mailed_to', 'slip_sent_to', 'let_try_again', 'device_forgotten', 'searchValue']
      and exists (select from jsonb_each_text(after) as said
        where lower(said.value) = any (addresses || devices)
          or said.key = 'searchValue' and exists (
            select from unnest(words) as word where strpos(word, translate(find_fold(said.value), ':', '')) > 0));
  update activity set object_name = object_id::text
    where customer_id = customer and object_type = 'guests' and object_id = any (erase_guests.guests);
  -- Nodes of the release before call sessions in the log by who was online, and what did not arrive by to whom. Why somebody ended a
  -- session, or gave something up, is in words of their own.
  update activity set object_name = object_id::text, after = after - 'disconnected'
    where customer_id = customer and object_type = 'radius_sessions' and object_id in (
      select s.id from radius_sessions s where s.customer_id = customer and (s.guest_id = any (erase_guests.guests)
        or s.mac_address = any (nobodies)
          and s.guest_id is null and s.account_id is null and s.voucher_id is null and s.device_id is null)
      union all select u.id from packed_sessions k
        cross join lateral unnest(k.session_ids, k.guest_ids, k.account_ids, k.voucher_ids, k.device_ids, k.mac_addresses)
          as u(id, guest, account, voucher, device, mac)
        where k.customer_id = customer and (k.guest_ids && erase_guests.guests or k.mac_addresses && nobodies)
          and (u.guest = any (erase_guests.guests)
            or u.mac = any (nobodies) and u.guest is null and u.account is null and u.voucher is null and u.device is null));
  update activity set after = after - 'reason'
    where customer_id = customer and object_type = 'due_work' and after ? 'reason' and exists (
      select from unnest(words) as word where strpos(translate(find_fold(after ->> 'reason'), ':', ''), word) > 0);
  update activity set object_name = object_id::text
    where customer_id = customer and object_type in ('radius_sessions', 'undelivered', 'due_work')
      and exists (select from unnest(addresses || stays || devices) as name where strpos(lower(object_name), name) > 0);
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
end $function$
;

grant execute on function erase_guests(bigint[]) to foyer_app;

-- Takes guests of the caller's customer out of its activity log: names, addresses, devices, and what was searched or written of them. That
-- something was done stays. Called by erase_guests while their names are still there, and their devices have the addresses of nobodies.

CREATE OR REPLACE FUNCTION public.erase_log_of(guests bigint[], addresses text[], stays text[], devices text[], nobodies macaddr[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  -- What they are searched by.
  words text[];
begin
  -- Where the desk has sent something to, helped with a device, or searched, the log says that it was done, and to nobody by name. The
  -- keys are those of server/entities/activity-log.ts, and of an index.
  words := array(select translate(find_fold(w.word), ':', '')
    from guests g cross join lateral unnest(array[g.name, g.email, g.mobile_number] || devices) as w(word)
    where g.customer_id = customer and g.id = any (erase_log_of.guests) and w.word is not null);
  update activity
    set after = after - array['mailed_to', 'sign_in_mailed_to', 'slip_sent_to', 'let_try_again', 'device_forgotten', 'searchValue']
    where customer_id = customer
      and after ?| array['mailed_to', 'sign_in_mailed_to', 'slip_sent_to', 'let_try_again', 'device_forgotten', 'searchValue']
      and exists (select from jsonb_each_text(after) as said
        where lower(said.value) = any (addresses || devices)
          or said.key = 'searchValue' and exists (
            select from unnest(words) as word where strpos(word, translate(find_fold(said.value), ':', '')) > 0));
  update activity set object_name = object_id::text
    where customer_id = customer and object_type = 'guests' and object_id = any (erase_log_of.guests);
  -- Nodes of the release before call sessions in the log by who was online, and what did not arrive by to whom. Why somebody ended a
  -- session, or gave something up, is in words of their own.
  update activity set object_name = object_id::text, after = after - 'disconnected'
    where customer_id = customer and object_type = 'radius_sessions' and object_id in (
      select s.id from radius_sessions s where s.customer_id = customer and (s.guest_id = any (erase_log_of.guests)
        or s.mac_address = any (nobodies)
          and s.guest_id is null and s.account_id is null and s.voucher_id is null and s.device_id is null)
      union all select u.id from packed_sessions k
        cross join lateral unnest(k.session_ids, k.guest_ids, k.account_ids, k.voucher_ids, k.device_ids, k.mac_addresses)
          as u(id, guest, account, voucher, device, mac)
        where k.customer_id = customer and (k.guest_ids && erase_log_of.guests or k.mac_addresses && nobodies)
          and (u.guest = any (erase_log_of.guests)
            or u.mac = any (nobodies) and u.guest is null and u.account is null and u.voucher is null and u.device is null));
  update activity set after = after - 'reason'
    where customer_id = customer and object_type = 'due_work' and after ? 'reason' and exists (
      select from unnest(words) as word where strpos(translate(find_fold(after ->> 'reason'), ':', ''), word) > 0);
  update activity set object_name = object_id::text
    where customer_id = customer and object_type in ('radius_sessions', 'undelivered', 'due_work')
      and exists (select from unnest(addresses || stays || devices) as name where strpos(lower(object_name), name) > 0);
end $function$;

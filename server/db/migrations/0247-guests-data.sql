-- Guests' data: which wording of the terms was agreed to, what is erased of a guest, and what is forgotten with time.

-- Of terms: their number, as the portal counts its wordings.
alter table consent_records add column terms_version integer;

-- What is known of these guests of the present customer, counted. Their devices are those that were let in as them.
create function guests_known(guests bigint[])
returns table (guests integer, devices integer, consents integer, sessions integer, attempts integer, online integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with macs as (select array_agg(distinct d.mac_address) as known from guest_devices d
    where d.customer_id = app_customer_id() and d.guest_id = any ($1))
  select
    (select count(*)::integer from guests g where g.customer_id = app_customer_id() and g.id = any ($1)),
    coalesce(cardinality(macs.known), 0),
    (select count(*)::integer from consent_records r where r.customer_id = app_customer_id() and r.guest_id = any ($1)),
    (select count(*)::integer from radius_sessions s where s.customer_id = app_customer_id() and s.guest_id = any ($1)),
    (select count(*)::integer from radius_authorisations a
      where a.customer_id = app_customer_id() and a.mac_address = any (macs.known)),
    (select count(*)::integer from radius_sessions s
      where s.customer_id = app_customer_id() and s.guest_id = any ($1) and s.stopped_at is null)
  from macs
$$;
grant execute on function guests_known(bigint[]) to foyer_app;

-- Takes everything personal of these guests of the present customer away. Their sessions keep when they were and how much they
-- used; each of their devices gets an address that is none (local, made up), the same wherever it stood, so that devices can
-- still be counted. The guest's row stays, empty, for reports that name it.
create function erase_guests(guests bigint[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  addresses text[];
  places integer[];
  device macaddr;
  nobody macaddr;
begin
  select coalesce(array_agg(lower(a.address)), '{}'), coalesce(array_agg(distinct g.property_id), '{}') into addresses, places
    from guests g cross join lateral unnest(array[g.email, g.mobile_number]) as a(address)
    where g.customer_id = customer and g.id = any (erase_guests.guests);
  for device in
    select distinct m.mac_address from (
      select d.mac_address from guest_devices d where d.customer_id = customer and d.guest_id = any (erase_guests.guests)
      union all select s.mac_address from radius_sessions s where s.customer_id = customer and s.guest_id = any (erase_guests.guests)
      union all select r.mac_address from consent_records r where r.customer_id = customer and r.guest_id = any (erase_guests.guests)
      union all select g.waiting_mac_address from guests g where g.customer_id = customer and g.id = any (erase_guests.guests)
    ) m where m.mac_address is not null
  loop
    -- Of twelve digits the first two say that it is local.
    nobody := ('02' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 10))::macaddr;
    update radius_sessions set mac_address = nobody where customer_id = customer and mac_address = device;
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
  delete from guest_devices where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from consent_records where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from access_passes where customer_id = customer and guest_id = any (erase_guests.guests);
  delete from one_time_codes where customer_id = customer
    and (guest_id = any (erase_guests.guests) or lower(address) = any (addresses));
  -- What was tried with the address on other devices: attempts are kept for some weeks, read by property from the newest.
  delete from radius_authorisations where customer_id = customer and property_id = any (places)
    and lower(identifier) = any (addresses);
  delete from outbox_mails where customer_id = customer and lower(recipient_email) = any (addresses);
  delete from outbox_texts where customer_id = customer and mobile_number = any (addresses);
  delete from used_quotas where customer_id = customer and quota = any (
    select word || address from unnest(addresses) as address, unnest(array['mails to ', 'texts to ']) as word);
  update guests set name = null, email = null, mobile_number = null, language = null, room_guest_id = null,
      waiting_mac_address = null, grace_ends_at = null, deleted_at = coalesce(deleted_at, now())
    where customer_id = customer and id = any (erase_guests.guests);
end $$;
grant execute on function erase_guests(bigint[]) to foyer_app;
create index on outbox_mails (customer_id, lower(recipient_email));
create index on outbox_texts (customer_id, mobile_number);

-- One step of forgetting: sessions that ended so long ago, attempts, messages that were sent and codes that ran out. At most so
-- many rows of each customer and kind, the oldest first, by the index that its lists have. Sums of days and uses stay.
create function door_forget_guests_data(sessions_kept_s integer, attempts_kept_s integer, rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer integer;
  gone integer;
  most integer := 0;
begin
  for customer in select id from customers loop
    delete from radius_sessions s using (
      select o.id from radius_sessions o where o.customer_id = customer and o.stopped_at is not null
        and o.started_at < now() - make_interval(secs => sessions_kept_s)
        and o.stopped_at < now() - make_interval(secs => sessions_kept_s)
      order by o.started_at limit rows_max) old
      where s.customer_id = customer and s.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
    delete from radius_authorisations a using (
      select o.id from radius_authorisations o where o.customer_id = customer
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where a.customer_id = customer and a.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
    delete from outbox_mails m using (
      select o.id from outbox_mails o where o.customer_id = customer and (o.sent_at is not null or o.failed_at is not null)
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where m.customer_id = customer and m.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
    delete from outbox_texts m using (
      select o.id from outbox_texts o where o.customer_id = customer and (o.sent_at is not null or o.failed_at is not null)
        and o.created_at < now() - make_interval(secs => attempts_kept_s)
      order by o.created_at limit rows_max) old
      where m.customer_id = customer and m.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
  end loop;
  delete from one_time_codes k using (
    select o.id from one_time_codes o where o.expires_at < now() - interval '1 day' order by o.expires_at limit rows_max) old
    where k.id = old.id;
  get diagnostics gone = row_count;
  most := greatest(most, gone);
  -- Whoever typed an address and never confirmed it is nobody's guest.
  update guests g set email = null, mobile_number = null, waiting_mac_address = null, grace_ends_at = null, deleted_at = now()
    from (select o.id from guests o where o.waiting_mac_address is not null and o.deleted_at is null
      and o.last_seen_at < now() - make_interval(secs => attempts_kept_s) limit rows_max) old
    where g.id = old.id;
  get diagnostics gone = row_count;
  return greatest(most, gone) >= rows_max;
end $$;
create index on guests (last_seen_at) where waiting_mac_address is not null and deleted_at is null;

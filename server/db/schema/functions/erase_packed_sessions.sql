-- Does to packed sessions what erase_guests does to the others: to those of the guests, to those of their devices before anybody signed in,
-- and to whatever else those devices were in, which get the addresses of nobody.

CREATE OR REPLACE FUNCTION public.erase_packed_sessions(guests bigint[], devices macaddr[], nobodies macaddr[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  pack packed_sessions;
  theirs bigint[];
begin
  for pack in
    select * from packed_sessions k where k.customer_id = customer
      and (k.guest_ids && erase_packed_sessions.guests or k.mac_addresses && devices) order by k.id for update
  loop
    theirs := array(
      select u.id
      from unnest(pack.session_ids, pack.guest_ids, pack.account_ids, pack.voucher_ids, pack.device_ids, pack.mac_addresses)
        as u(id, guest, account, voucher, device, mac)
      where u.guest = any (erase_packed_sessions.guests)
        or u.mac = any (devices) and u.guest is null and u.account is null and u.voucher is null and u.device is null);
    update packed_sessions k set (identifiers, usernames, ips, ipv6s, acct_session_ids, calling_stations, box_sessions,
        mac_addresses) = (
      select array_agg(case when own then null else u.identifier end order by n),
        array_agg(case when own then null else u.username end order by n),
        array_agg(case when own then null else u.ip end order by n), array_agg(case when own then null else u.ipv6 end order by n),
        array_agg(case when own then 'erased' else u.acct end order by n),
        array_agg(case when own or u.mac = any (devices) then null else u.station end order by n),
        array_agg(case when own or u.mac = any (devices) then null else u.box end order by n),
        array_agg(coalesce(nobodies[array_position(devices, u.mac)], u.mac) order by n)
      from unnest(k.session_ids, k.identifiers, k.usernames, k.ips, k.ipv6s, k.acct_session_ids, k.calling_stations, k.box_sessions,
          k.mac_addresses)
        with ordinality as u(id, identifier, username, ip, ipv6, acct, station, box, mac, n)
      cross join lateral (select u.id = any (theirs) as own) as o)
    where k.customer_id = customer and k.id = pack.id;
    update packed_sessions k set (address_session_ids, addresses, address_since_after, address_until_after) = (
      select coalesce(array_agg(a.id order by n), '{}'), coalesce(array_agg(a.address order by n), '{}'),
        coalesce(array_agg(a.since order by n), '{}'), coalesce(array_agg(a.until order by n), '{}')
      from unnest(k.address_session_ids, k.addresses, k.address_since_after, k.address_until_after)
        with ordinality as a(id, address, since, until, n)
      where a.id <> all (theirs))
    where k.customer_id = customer and k.id = pack.id;
  end loop;
end $function$;

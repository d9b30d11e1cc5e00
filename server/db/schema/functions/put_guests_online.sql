-- Puts the latest guests of each property of an invented operator online again: for a twentieth of its units, and so many at least. Called
-- by start_sample, and by the demo.

CREATE OR REPLACE FUNCTION public.put_guests_online(made_for integer, least_people integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  create temporary table demo_again on commit drop as
    select s.*, h.time_zone, now() - random() * interval '100 minutes' as began, (random() * 1e9)::bigint as volume
    from properties h
    cross join lateral (
      select distinct on (coalesce(l.account_id::text, l.guest_id::text, l.mac_address::text)) l.*
      from (select * from radius_sessions s where s.customer_id = h.customer_id and s.property_id = h.id and s.voucher_id is null
        order by s.started_at desc limit greatest(least_people, h.total_units / 20)) as l) as s
    where h.customer_id = made_for and h.active and not h.draft and h.deleted_at is null;
  insert into radius_sessions (customer_id, gateway_id, property_id, group_id, session_key, acct_session_id, auth_method_id, package_id,
    mac_category_id, account_id, device_id, guest_id, identifier, username, mac_address, started_at, last_seen_at, seconds, bytes_up, bytes_down,
    created_at, days)
  select customer_id, gateway_id, property_id, group_id, session_key || '-' || extract(epoch from now())::bigint, acct_session_id, auth_method_id,
    package_id, mac_category_id, account_id, device_id, guest_id, identifier, username, mac_address, began, now(),
    extract(epoch from now() - began)::bigint, volume / 8, volume, began,
    jsonb_build_object(local_day(began, time_zone), jsonb_build_array(extract(epoch from now() - began)::bigint, volume / 8, volume))
  from demo_again;
  insert into session_days as d (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds, bytes_up,
    bytes_down)
  select customer_id, property_id, local_day(began, time_zone), auth_method_id, package_id, group_id, mac_category_id, count(*),
    sum(extract(epoch from now() - began)::bigint), sum(volume / 8), sum(volume)
  from demo_again group by 1, 2, 3, 4, 5, 6, 7
  on conflict (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id) do update set
    sessions = d.sessions + excluded.sessions, seconds = d.seconds + excluded.seconds, bytes_up = d.bytes_up + excluded.bytes_up,
    bytes_down = d.bytes_down + excluded.bytes_down;
  insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
  select distinct customer_id, property_id, local_day(began, time_zone),
    guest_pseudonym(customer_id, guest_id, account_id, voucher_id, device_id, mac_address), auth_method_id, false
  from demo_again where num_nonnulls(guest_id, account_id, device_id, mac_address) > 0
  on conflict do nothing;
  drop table demo_again;
end $function$;

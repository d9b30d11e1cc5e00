-- The business of an invented operator: rooms, guests, accounts, devices, gateways, the nights of three months, and days of sessions, at
-- the properties that it has. Always the same for the same properties. For the demo, and for samples.

CREATE OR REPLACE FUNCTION public.invent_business(made_for integer, guest_names text[], lived_days integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform setseed(0.42);

  create temporary table demo_houses on commit drop as
    select p.id, p.name, p.customer_id, p.group_id, local_day(now(), p.time_zone) as today, p.package_id, p.total_units, p.property_type_id, p.active and not p.draft as open,
      row_number() over (order by p.id) as place
    from properties p where p.customer_id = made_for;

  -- The operator has grown, one property after the other.
  update groups set created_at = now() - interval '700 days' + id * interval '9 hours' where customer_id = made_for;
  update packages set created_at = now() - interval '690 days' + id * interval '31 hours' where customer_id = made_for;
  update users set created_at = now() - interval '600 days' + id * interval '61 days' where customer_id = made_for;
  update properties p set created_at = now() - interval '640 days' + h.place * interval '25 days 5 hours 17 minutes' from demo_houses h where h.id = p.id;

  -- Rooms: by floor in hotels, flats in student homes, pitches in parks.
  insert into rooms (customer_id, property_id, number, package_id, active, created_at)
  select h.customer_id, h.id,
    case when h.property_type_id = 4 then 'F' || lpad(n::text, 3, '0') when h.property_type_id = 6 then 'P' || n
      else ((n - 1) / 24 + 1)::text || lpad(((n - 1) % 24 + 1)::text, 2, '0') end,
    case when h.property_type_id = 4 then h.package_id end, random() > 0.02, now() - interval '300 days' + h.place * interval '3 hours'
  from demo_houses h, generate_series(1, h.total_units) n;

  create temporary table demo_people on commit drop as
    select row_number() over () as place, name,
      lower(replace(regexp_replace(normalize(name, nfkd), '[^a-zA-Z ]', '', 'g'), ' ', '.')) as handle
    from unnest(guest_names) as name;

  -- Guests in rooms: most stay, some arrive or leave today, a few should have left yesterday.
  insert into room_guests (customer_id, room_id, first_name, last_name, email, mobile_number, arrives_on, departs_on, checked_in_at, created_at)
  select r.customer_id, r.id, split_part(p.name, ' ', 1), split_part(p.name, ' ', 2), p.handle || '@mail.example',
    '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0'), s.arrives_on, s.departs_on,
    least(s.arrives_on + interval '15 hours', now()), least(s.arrives_on - interval '1 day', now())
  from (select r.*, h.today, random() as luck, row_number() over (order by random()) as turn from rooms r join demo_houses h on h.id = r.property_id
        where r.customer_id = made_for and h.property_type_id <> 4 and h.open and random() < 0.61) r
  join demo_people p on p.place = r.turn % (select count(*) from demo_people) + 1
  cross join lateral (select
    r.today - case when r.luck < 0.1 then 0 when r.luck < 0.25 then 2 + r.turn::integer % 3 else 1 + r.turn::integer % 4 end as arrives_on,
    r.today + case when r.luck < 0.1 then 1 + r.turn::integer % 5 when r.luck < 0.2 then 0 when r.luck < 0.25 then -1
      else 1 + r.turn::integer % 6 end as departs_on) s;
  -- Guests who arrive today were entered earlier, and are not checked in yet.
  update room_guests g set checked_in_at = null from rooms r join demo_houses h on h.id = r.property_id
  where g.customer_id = made_for and r.customer_id = g.customer_id and r.id = g.room_id and g.arrives_on = h.today;

  -- Accounts: one for each flat in student homes, regulars and conference guests elsewhere.
  insert into accounts (customer_id, property_id, package_id, room_id, account_type_id, name, email, mobile_number, username, active, created_at)
  select customer_id, property_id, package_id, room_id, account_type_id, name || case when nth > 1 then ' ' || nth else '' end, handle || case when nth > 1 then nth::text else '' end || '@mail.example',
    case when random() < 0.7 then '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0') end,
    handle || case when nth > 1 then nth::text else '' end, random() > 0.06, created_at
  from (
    select x.*, p.name, p.handle, row_number() over (partition by x.property_id, p.name order by x.created_at) as nth
    from (
      select r.customer_id, r.property_id, h.package_id, r.id as room_id, 1 as account_type_id, now() - random() * interval '80 days' as created_at, row_number() over (order by random()) as turn
      from rooms r join demo_houses h on h.id = r.property_id where r.customer_id = made_for and h.property_type_id = 4 and h.open and random() < 0.94
      union all
      select h.customer_id, h.id, h.package_id, null, case when h.property_type_id = 7 then 2 else 1 end, now() - power(random(), 2) * interval '85 days', row_number() over (order by random())
      from demo_houses h, generate_series(1, case h.property_type_id when 7 then 160 when 6 then 60 else 90 end) where h.open and h.property_type_id <> 4
    ) x join demo_people p on p.place = (x.turn * 7919) % (select count(*) from demo_people) + 1
  ) y;

  -- Devices that get online without signing in.
  insert into devices (customer_id, property_id, name, mac_address, external_reference, mac_category_id, room_id, active, created_at)
  select r.customer_id, r.property_id, k.name || ' ' || r.number,
    (case when k.name = 'Games console' then '7c:bb:8a' else 'a4:83:e7' end || ':' || regexp_replace(lpad(to_hex(r.id), 6, '0'), '(..)(..)(..)', '\1:\2:\3'))::macaddr,
    case when h.property_type_id <> 4 then 'TV-' || r.number end, k.id, r.id, random() > 0.03, now() - random() * interval '200 days'
  from rooms r
  join demo_houses h on h.id = r.property_id and h.open
  join mac_categories k on k.customer_id = r.customer_id and k.name = case when h.property_type_id = 4 then 'Games console' else 'TV or streaming' end
  where r.customer_id = made_for and random() < case when h.property_type_id = 4 then 0.35 else 0.5 end;

  -- The property's own devices, among them a phone with a random address, and a blocked one.
  insert into devices (customer_id, property_id, name, mac_address, external_reference, mac_category_id, created_at)
  select h.customer_id, h.id, v.name, (v.oui || ':' || lpad(to_hex(h.place::integer % 256), 2, '0') || ':00:' || lpad(to_hex(v.n), 2, '0'))::macaddr,
    v.tag || '-' || h.place, k.id, now() - random() * interval '260 days'
  from demo_houses h
  cross join (values (1, 'Reception printer', '3c:2a:f4', 'Printer', 'PRN'), (2, 'Bar till', '00:1c:2e', 'Point of sale', 'POS'),
    (3, 'Car park camera', '44:19:b6', 'CCTV', 'CAM'), (4, 'Boiler room sensor', '24:0a:c4', 'IoT', 'IOT'),
    (5, 'Duty manager', 'da:a1:19', 'Staff', 'DM'), (6, 'Unknown set-top box', '00:0f:de', 'Blocked', 'X')) as v(n, name, oui, category, tag)
  join mac_categories k on k.customer_id = h.customer_id and k.name = v.category
  where h.open and (v.n <= 3 or (h.place + v.n) % 4 = 0);

  insert into gateways (customer_id, property_id, gateway_type_id, name, mac_address, ip_address, last_seen_at, created_at)
  select h.customer_id, h.id, (array[13, 1, 2])[1 + h.place % 3], h.name || case when n > 1 then ', annexe' else '' end, ('0a:' || lpad(to_hex(h.place::integer), 2, '0') || ':00:00:00:' || lpad(to_hex(n), 2, '0'))::macaddr,
    ('10.' || h.place || '.0.' || n)::inet, case when h.place in (5, 18) then now() - interval '3 hours' end, now() - interval '290 days'
  from demo_houses h, generate_series(1, 1 + (h.total_units > 200)::integer) n where h.open;

  -- Days of sessions, mostly by day, some overnight: more at weekends in hotels and parks, more on weekdays among students, and growing.
  insert into radius_sessions (customer_id, gateway_id, property_id, group_id, session_key, acct_session_id, auth_method_id, package_id, account_id, identifier, mac_address,
    started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down, termination_cause, created_at)
  select customer_id, gateway_id, id, group_id, 'demo-' || turn, lpad(to_hex(turn), 8, '0'), method, package_id, null, null,
    ('06:' || regexp_replace(lpad(to_hex((turn * 2654435761) % 1099511627776), 10, '0'), '(..)(..)(..)(..)(..)', '\1:\2:\3:\4:\5'))::macaddr,
    started_at, least(now(), started_at + length), case when started_at + length < now() then started_at + length end,
    extract(epoch from least(now(), started_at + length) - started_at)::bigint, (volume * 0.12)::bigint, volume::bigint,
    case when started_at + length < now() then (array['User-Request', 'Idle-Timeout', 'Session-Timeout', 'Lost-Carrier'])[1 + (random() * 3)::integer] end, started_at
  from (
    select h.*, g.id as gateway_id, row_number() over () as turn,
      case when h.property_type_id = 4 then 3 else (array[4, 4, 2, 1, 5])[1 + (random() * 4)::integer] end as method,
      d.day + case when random() < 0.15 then 24 * random() else 7 + 16 * sqrt(random()) end * interval '1 hour' as started_at,
      (5 + power(random(), 2) * 400 + case when random() < 0.08 then 420 else 0 end) * interval '1 minute' as length, power(random(), 3) * 4e9 + 2e6 as volume
    from demo_houses h
    join lateral (select id from gateways g where g.property_id = h.id order by id limit 1) g on true
    cross join generate_series(current_date - (lived_days - 1), current_date, interval '1 day') as d(day)
    cross join lateral generate_series(1, (h.total_units * (0.10 + 0.05 * random()) * (0.8 + (d.day::date - current_date + lived_days) / 300.0)
      * case when (extract(isodow from d.day) >= 5) = (h.property_type_id <> 4) then 1.35 else 0.85 end)::integer)
    where h.open
  ) s where started_at < now();

  -- The ledger of nights since the first of the month three months ago: weekends are fuller. Some nights of the newest property are unknown.
  insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
  select h.customer_id, h.id, d.first, d.first, current_date - 1
  from demo_houses h, lateral (select (date_trunc('month', current_date) - interval '3 months')::date as first) d
  where h.open
  on conflict (customer_id, property_id) do update
    set begins_on = excluded.begins_on, kept_from = excluded.kept_from, kept_until = excluded.kept_until;
  insert into occupancy_nights (customer_id, property_id, night, total_units, occupied_units, room_numbers, is_holiday, holiday,
    minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, time_zone, property_name, group_id)
  select h.customer_id, h.id, n.night, p.total_units, cardinality(r.numbers), r.numbers, false, null,
    p.minimum_billable_percentage, p.holiday_billable_percentage, p.rate_per_unit, property_currency(p), p.time_zone, p.name, p.group_id
  from demo_houses h
  join properties p on p.id = h.id
  join night_ledgers l on l.property_id = h.id
  cross join lateral (select d::date as night, case when extract(isodow from d) in (5, 6) then 0.86 else 0.58 end as share
    from generate_series(l.begins_on, current_date - 1, interval '1 day') as d) n
  cross join lateral (select coalesce(array_agg(o.number::text order by o.number), '{}') as numbers from rooms o
    where o.property_id = h.id and o.active and hashtext(o.id::text || n.night::text) % 1000 / 1000.0 between -n.share and n.share) r
  where h.open and (h.place < (select max(place) from demo_houses where open)
    or n.night not between date_trunc('month', current_date) - interval '1 month' and date_trunc('month', current_date) - interval '25 days')
  on conflict do nothing;

  -- Residents by their account, from the day on which it was made.
  create temporary table demo_residents on commit drop as
    select a.id, a.property_id, a.username, a.name, a.created_at, row_number() over (partition by a.property_id order by a.id) - 1 as n,
      count(*) over (partition by a.property_id) as total
    from accounts a where a.customer_id = made_for and a.account_type_id = 1 and a.active;
  update radius_sessions s set account_id = r.id, identifier = r.username,
    mac_address = ('0e:00:' || regexp_replace(lpad(to_hex(r.id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
  from demo_residents r
  where s.customer_id = made_for and s.auth_method_id = 3 and r.property_id = s.property_id and r.n = (s.id * 7919) % r.total
    and r.created_at < s.started_at;

  -- Guests by room and name, during their stay.
  insert into guests (customer_id, property_id, auth_method_id, room_guest_id, name, first_seen_at, last_seen_at, created_at)
  select g.customer_id, r.property_id, 4, g.id, g.name, g.checked_in_at, now(), g.checked_in_at
  from room_guests g join rooms r on r.customer_id = g.customer_id and r.id = g.room_id
  where g.customer_id = made_for and g.deleted_at is null and g.checked_in_at is not null;
  create temporary table demo_staying on commit drop as
    select t.id, t.property_id, g.checked_in_at, g.departs_on, r.number || ', ' || g.last_name as identifier,
      row_number() over (partition by t.property_id order by t.id) - 1 as n, count(*) over (partition by t.property_id) as total
    from guests t join room_guests g on g.customer_id = t.customer_id and g.id = t.room_guest_id
    join rooms r on r.customer_id = g.customer_id and r.id = g.room_id where t.customer_id = made_for;
  update radius_sessions s set guest_id = g.id, identifier = g.identifier,
    mac_address = ('0e:01:' || regexp_replace(lpad(to_hex(g.id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
  from demo_staying g
  where s.customer_id = made_for and s.auth_method_id = 4 and g.property_id = s.property_id and g.n = (s.id * 7919) % g.total
    and s.started_at between g.checked_in_at and g.departs_on + interval '11 hours';

  -- Vouchers while their clock runs; sessions without one are click-through.
  update radius_sessions s set voucher_id = x.voucher_id, package_id = x.package_id,
    identifier = coalesce(regexp_replace(x.code, '(....)(....)(....)', '\1-\2-\3'), '••••-••••-' || x.last_four),
    mac_address = ('0e:02:' || regexp_replace(lpad(to_hex(x.voucher_id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
  from (
    select distinct on (s.id) s.id, v.id as voucher_id, v.code, k.last_four, b.package_id
    from vouchers v
    left join voucher_codes k on k.customer_id = v.customer_id and k.voucher_id = v.id
    join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
    join properties h on h.customer_id = b.customer_id and (h.id = b.property_id or b.property_id is null and h.group_id = b.group_id)
    join radius_sessions s on s.customer_id = v.customer_id and s.property_id = h.id and s.auth_method_id = 2
      and s.started_at >= v.redeemed_at and s.started_at < v.expires_at
    where v.customer_id = made_for and v.redeemed_at is not null
    order by s.id, md5(s.id::text || v.id::text)
  ) x where s.customer_id = made_for and s.id = x.id;
  update radius_sessions set auth_method_id = 1 where customer_id = made_for and auth_method_id = 2 and voucher_id is null;
  update radius_sessions set identifier = 'guest ' || id where customer_id = made_for and auth_method_id = 1;
  -- A third of them have been here before, on the same telephone; guests with an e-mail address have one telephone, too.
  update radius_sessions s set identifier = 'guest ' || s.property_id || '-' || (s.id * 7919) % (10 + h.total_units / 4),
    mac_address = ('0e:03:' || regexp_replace(lpad(to_hex(s.property_id * 4096 + (s.id * 7919) % (10 + h.total_units / 4)), 8, '0'),
      '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
  from demo_houses h where s.customer_id = made_for and s.auth_method_id = 1 and h.id = s.property_id and s.id % 3 = 0;
  update radius_sessions s set identifier = p.handle || '@mail.example',
    mac_address = ('0e:04:' || regexp_replace(lpad(to_hex(p.n), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
  from (select n, handle, total from (select row_number() over () - 1 as n, handle, count(*) over () as total from demo_people) q) p
  where s.customer_id = made_for and s.auth_method_id = 5 and p.n = (s.id * 104729) % p.total;

  -- The last visits follow from the sessions.
  update accounts a set logged_in_at = (
    select max(s.started_at) from radius_sessions s where s.customer_id = a.customer_id and s.account_id = a.id)
  where a.customer_id = made_for;
  update guests g set last_seen_at = coalesce((
    select max(s.last_seen_at) from radius_sessions s where s.customer_id = g.customer_id and s.guest_id = g.id), g.first_seen_at)
  where g.customer_id = made_for;

  -- The daily parts of each session, and the daily roll-ups that accounting keeps.
  update radius_sessions s
  set days = jsonb_build_object(local_day(s.started_at, h.time_zone), jsonb_build_array(s.seconds, s.bytes_up, s.bytes_down)),
    username = s.identifier
  from properties h where s.customer_id = made_for and h.customer_id = s.customer_id and h.id = s.property_id;
  insert into session_days (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds,
    bytes_up, bytes_down)
  select s.customer_id, s.property_id, local_day(s.started_at, h.time_zone), s.auth_method_id, s.package_id, s.group_id, s.mac_category_id,
    count(*), sum(s.seconds), sum(s.bytes_up), sum(s.bytes_down)
  from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  where s.customer_id = made_for group by 1, 2, 3, 4, 5, 6, 7;
  insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
  select made_for, property_id, day, guest, auth_method_id, day = min(day) over (partition by property_id, guest)
  from (
    select distinct s.property_id, local_day(s.started_at, h.time_zone) as day, s.auth_method_id,
      guest_pseudonym(made_for, s.guest_id, s.account_id, s.voucher_id, s.device_id, s.mac_address) as guest
    from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
    where s.customer_id = made_for
  ) seen where guest is not null;
  insert into guest_first_days (customer_id, property_id, guest, first_day, last_day)
  select made_for, property_id, guest, min(day), max(day) from guest_days where customer_id = made_for group by 2, 3;

  -- The usage of holders, only of packages that it cannot use up.
  insert into usage_periods (customer_id, account_id, voucher_id, guest_id, starts_at, seconds_used, bytes_used)
  select s.customer_id, s.account_id, s.voucher_id, s.guest_id, day_begins(local_day(s.started_at, h.time_zone), h.time_zone),
    sum(s.seconds), sum(s.bytes_up + s.bytes_down)
  from radius_sessions s
  join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  join packages p on p.customer_id = s.customer_id and p.id = s.package_id
  where s.customer_id = made_for and num_nonnulls(s.account_id, s.voucher_id, s.guest_id) = 1 and p.volume_gb = 0
    and (p.recurs = 'daily' or p.session_time_hrs = 0)
  group by s.customer_id, s.account_id, s.voucher_id, s.guest_id, 5;

  -- Attempts of the last 30 days: one for each session, and one refused for every twelve; at one place more lately.
  insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, account_id, voucher_id, guest_id, package_id,
    identifier, mac_address, accepted, reason, created_at)
  select s.customer_id, s.gateway_id, s.property_id, s.auth_method_id, s.account_id, s.voucher_id, s.guest_id, s.package_id, s.identifier,
    s.mac_address, t.accepted,
    case when t.accepted then 'accepted' when s.auth_method_id = 2 then (array['unknown_user', 'expired', 'time_used_up'])[1 + s.id % 3]
      else (array['wrong_password', 'unknown_user', 'device_limit'])[1 + s.id % 3] end,
    s.started_at - t.before
  from radius_sessions s
  join demo_houses h on h.id = s.property_id
  cross join lateral (
    select true as accepted, interval '1 second' as before
    union all select false, n * interval '41 seconds' from generate_series(1, case
      when h.place = 9 and s.started_at > now() - interval '30 hours' then 1 + (s.id % 3)::integer
      when s.id % 12 = 0 then 1 else 0 end) n
  ) t
  where s.customer_id = made_for and s.started_at > now() - interval '30 days';

  -- Hourly figures of the last weeks, as the counting job would have written them.
  insert into property_hours (customer_id, property_id, hour, online, sessions, tries, refused)
  select made_for, property_id, hour, sum(online), sum(sessions), sum(tries), sum(refused)
  from (
    select s.property_id, h.hour, count(*) filter (where s.started_at < h.hour + interval '50 minutes'
        and coalesce(s.stopped_at, now()) > h.hour + interval '30 minutes') as online,
      count(*) filter (where s.started_at >= h.hour) as sessions, 0 as tries, 0 as refused
    from radius_sessions s
    cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
    where s.customer_id = made_for
    group by 1, 2
    union all
    select property_id, date_trunc('hour', created_at, 'UTC'), 0, 0, count(*), count(*) filter (where not accepted)
    from radius_authorisations where customer_id = made_for and created_at > now() - interval '16 days' group by 1, 2
  ) counted group by property_id, hour;
  with there as (
    select s.property_id, h.hour, 1 << (s.auth_method_id - 1) as method, count(*) as online
    from radius_sessions s
    cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
    where s.customer_id = made_for and s.started_at < h.hour + interval '50 minutes'
      and coalesce(s.stopped_at, now()) > h.hour + interval '30 minutes'
    group by 1, 2, 3
  ), combined as (
    select there.property_id, there.hour, c.methods, sum(there.online) as online
    from (select property_id, hour, bit_or(method) as methods from there group by 1, 2) as had
    cross join lateral generate_series(1, had.methods) as c(methods)
    join there on there.property_id = had.property_id and there.hour = had.hour and there.method & c.methods <> 0
    where c.methods & ~had.methods = 0
    group by 1, 2, 3
  )
  update property_hours h set online_by_methods = coalesce(c.by_methods, '{}')
  from property_hours o
  left join (select property_id, hour, jsonb_object_agg(methods, online) as by_methods from combined group by 1, 2) as c
    on c.property_id = o.property_id and c.hour = o.hour
  where h.customer_id = made_for and o.id = h.id;
  insert into customer_hours (customer_id, hour, online)
  select customer_id, hour, sum(online) from property_hours where customer_id = made_for group by customer_id, hour;
  drop table demo_houses, demo_people, demo_residents, demo_staying;
end $function$;

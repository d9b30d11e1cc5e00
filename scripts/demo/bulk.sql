-- The data of a year of business: rooms, guests, accounts, devices, gateways, and 90 days of sessions.
-- Runs as the tables' owner for one customer: `:customer` and the arrays of names are filled in by scripts/demo.ts.
-- setseed makes all runs produce the same data.

select setseed(0.42);

create temporary table demo_houses on commit drop as
  select p.id, p.name, p.customer_id, p.group_id, local_day(now(), p.time_zone) as today, p.package_id, p.total_units, p.property_type_id, p.active and not p.draft as open,
    row_number() over (order by p.id) as place
  from properties p where p.customer_id = $customer;

-- The operator has grown, one property after the other.
update groups set created_at = now() - interval '700 days' + id * interval '9 hours' where customer_id = $customer;
update packages set created_at = now() - interval '690 days' + id * interval '31 hours' where customer_id = $customer;
update users set created_at = now() - interval '600 days' + id * interval '61 days' where customer_id = $customer;
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
  from unnest($names::text[]) as name;

-- Guests in rooms: most stay, some arrive or leave today, a few should have left yesterday.
insert into room_guests (customer_id, room_id, first_name, last_name, email, mobile_number, arrives_on, departs_on, checked_in_at, created_at)
select r.customer_id, r.id, split_part(p.name, ' ', 1), split_part(p.name, ' ', 2), p.handle || '@mail.example',
  '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0'), s.arrives_on, s.departs_on,
  least(s.arrives_on + interval '15 hours', now()), least(s.arrives_on - interval '1 day', now())
from (select r.*, h.today, random() as luck, row_number() over (order by random()) as turn from rooms r join demo_houses h on h.id = r.property_id
      where r.customer_id = $customer and h.property_type_id <> 4 and h.open and random() < 0.61) r
join demo_people p on p.place = r.turn % (select count(*) from demo_people) + 1
cross join lateral (select
  r.today - case when r.luck < 0.1 then 0 when r.luck < 0.25 then 2 + r.turn::integer % 3 else 1 + r.turn::integer % 4 end as arrives_on,
  r.today + case when r.luck < 0.1 then 1 + r.turn::integer % 5 when r.luck < 0.2 then 0 when r.luck < 0.25 then -1
    else 1 + r.turn::integer % 6 end as departs_on) s;
-- Guests who arrive today were entered earlier, and are not checked in yet.
update room_guests g set checked_in_at = null from rooms r join demo_houses h on h.id = r.property_id
where g.customer_id = $customer and r.customer_id = g.customer_id and r.id = g.room_id and g.arrives_on = h.today;

-- Accounts: one for each flat in student homes, regulars and conference guests elsewhere.
insert into accounts (customer_id, property_id, package_id, room_id, account_type_id, name, email, mobile_number, username, active, created_at)
select customer_id, property_id, package_id, room_id, account_type_id, name || case when nth > 1 then ' ' || nth else '' end, handle || case when nth > 1 then nth::text else '' end || '@mail.example',
  case when random() < 0.7 then '+44 7700 9' || lpad((random() * 99999)::integer::text, 5, '0') end,
  handle || case when nth > 1 then nth::text else '' end, random() > 0.06, created_at
from (
  select x.*, p.name, p.handle, row_number() over (partition by x.property_id, p.name order by x.created_at) as nth
  from (
    select r.customer_id, r.property_id, h.package_id, r.id as room_id, 1 as account_type_id, now() - random() * interval '80 days' as created_at, row_number() over (order by random()) as turn
    from rooms r join demo_houses h on h.id = r.property_id where r.customer_id = $customer and h.property_type_id = 4 and h.open and random() < 0.94
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
where r.customer_id = $customer and random() < case when h.property_type_id = 4 then 0.35 else 0.5 end;

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
  cross join generate_series(current_date - ($lived - 1), current_date, interval '1 day') as d(day)
  cross join lateral generate_series(1, (h.total_units * (0.10 + 0.05 * random()) * (0.8 + (d.day::date - current_date + $lived) / 300.0)
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

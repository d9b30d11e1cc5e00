-- The holders of the sessions of bulk.sql, and the data that RADIUS and the hourly counts would have added.

-- Residents by their account, from the day on which it was made.
create temporary table demo_residents on commit drop as
  select a.id, a.property_id, a.username, a.name, a.created_at, row_number() over (partition by a.property_id order by a.id) - 1 as n,
    count(*) over (partition by a.property_id) as total
  from accounts a where a.customer_id = $customer and a.account_type_id = 1 and a.active;
update radius_sessions s set account_id = r.id, identifier = r.username,
  mac_address = ('0e:00:' || regexp_replace(lpad(to_hex(r.id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
from demo_residents r
where s.customer_id = $customer and s.auth_method_id = 3 and r.property_id = s.property_id and r.n = (s.id * 7919) % r.total
  and r.created_at < s.started_at;

-- Guests by room and name, during their stay.
insert into guests (customer_id, property_id, auth_method_id, room_guest_id, name, first_seen_at, last_seen_at, created_at)
select g.customer_id, r.property_id, 4, g.id, g.name, g.checked_in_at, now(), g.checked_in_at
from room_guests g join rooms r on r.customer_id = g.customer_id and r.id = g.room_id
where g.customer_id = $customer and g.deleted_at is null and g.checked_in_at is not null;
create temporary table demo_staying on commit drop as
  select t.id, t.property_id, g.checked_in_at, g.departs_on, r.number || ', ' || g.last_name as identifier,
    row_number() over (partition by t.property_id order by t.id) - 1 as n, count(*) over (partition by t.property_id) as total
  from guests t join room_guests g on g.customer_id = t.customer_id and g.id = t.room_guest_id
  join rooms r on r.customer_id = g.customer_id and r.id = g.room_id where t.customer_id = $customer;
update radius_sessions s set guest_id = g.id, identifier = g.identifier,
  mac_address = ('0e:01:' || regexp_replace(lpad(to_hex(g.id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
from demo_staying g
where s.customer_id = $customer and s.auth_method_id = 4 and g.property_id = s.property_id and g.n = (s.id * 7919) % g.total
  and s.started_at between g.checked_in_at and g.departs_on + interval '11 hours';

-- Vouchers while their clock runs; sessions without one are click-through.
update radius_sessions s set voucher_id = x.voucher_id, package_id = x.package_id,
  identifier = regexp_replace(x.code, '(....)(....)(....)', '\1-\2-\3'),
  mac_address = ('0e:02:' || regexp_replace(lpad(to_hex(x.voucher_id), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
from (
  select distinct on (s.id) s.id, v.id as voucher_id, v.code, b.package_id
  from vouchers v
  join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
  join properties h on h.customer_id = b.customer_id and (h.id = b.property_id or b.property_id is null and h.group_id = b.group_id)
  join radius_sessions s on s.customer_id = v.customer_id and s.property_id = h.id and s.auth_method_id = 2
    and s.started_at >= v.redeemed_at and s.started_at < v.expires_at
  where v.customer_id = $customer and v.redeemed_at is not null
  order by s.id, md5(s.id::text || v.id::text)
) x where s.customer_id = $customer and s.id = x.id;
update radius_sessions set auth_method_id = 1 where customer_id = $customer and auth_method_id = 2 and voucher_id is null;
update radius_sessions set identifier = 'guest ' || id where customer_id = $customer and auth_method_id = 1;
-- A third of them have been here before, on the same telephone; guests with an e-mail address have one telephone, too.
update radius_sessions s set identifier = 'guest ' || s.property_id || '-' || (s.id * 7919) % (10 + h.total_units / 4),
  mac_address = ('0e:03:' || regexp_replace(lpad(to_hex(s.property_id * 4096 + (s.id * 7919) % (10 + h.total_units / 4)), 8, '0'),
    '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
from demo_houses h where s.customer_id = $customer and s.auth_method_id = 1 and h.id = s.property_id and s.id % 3 = 0;
update radius_sessions s set identifier = p.handle || '@mail.example',
  mac_address = ('0e:04:' || regexp_replace(lpad(to_hex(p.n), 8, '0'), '(..)(..)(..)(..)', '\1:\2:\3:\4'))::macaddr
from (select n, handle, total from (select row_number() over () - 1 as n, handle, count(*) over () as total from demo_people) q) p
where s.customer_id = $customer and s.auth_method_id = 5 and p.n = (s.id * 104729) % p.total;

-- The last visits follow from the sessions.
update accounts a set logged_in_at = (
  select max(s.started_at) from radius_sessions s where s.customer_id = a.customer_id and s.account_id = a.id)
where a.customer_id = $customer;
update guests g set last_seen_at = coalesce((
  select max(s.last_seen_at) from radius_sessions s where s.customer_id = g.customer_id and s.guest_id = g.id), g.first_seen_at)
where g.customer_id = $customer;

-- The daily parts of each session, and the daily roll-ups that accounting keeps.
update radius_sessions s
set days = jsonb_build_object(local_day(s.started_at, h.time_zone), jsonb_build_array(s.seconds, s.bytes_up, s.bytes_down)),
  username = s.identifier
from properties h where s.customer_id = $customer and h.customer_id = s.customer_id and h.id = s.property_id;
insert into session_days (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds,
  bytes_up, bytes_down)
select s.customer_id, s.property_id, local_day(s.started_at, h.time_zone), s.auth_method_id, s.package_id, s.group_id, s.mac_category_id,
  count(*), sum(s.seconds), sum(s.bytes_up), sum(s.bytes_down)
from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
where s.customer_id = $customer group by 1, 2, 3, 4, 5, 6, 7;
insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
select $customer, property_id, day, guest, auth_method_id, day = min(day) over (partition by property_id, guest)
from (
  select distinct s.property_id, local_day(s.started_at, h.time_zone) as day, s.auth_method_id,
    guest_pseudonym($customer, s.guest_id, s.account_id, s.voucher_id, s.device_id, s.mac_address) as guest
  from radius_sessions s join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  where s.customer_id = $customer
) seen where guest is not null;
insert into guest_first_days (customer_id, property_id, guest, first_day, last_day)
select $customer, property_id, guest, min(day), max(day) from guest_days where customer_id = $customer group by 2, 3;

-- The usage of holders, only of packages that it cannot use up.
insert into usage_periods (customer_id, account_id, voucher_id, guest_id, starts_at, seconds_used, bytes_used)
select s.customer_id, s.account_id, s.voucher_id, s.guest_id, day_begins(local_day(s.started_at, h.time_zone), h.time_zone),
  sum(s.seconds), sum(s.bytes_up + s.bytes_down)
from radius_sessions s
join properties h on h.customer_id = s.customer_id and h.id = s.property_id
join packages p on p.customer_id = s.customer_id and p.id = s.package_id
where s.customer_id = $customer and num_nonnulls(s.account_id, s.voucher_id, s.guest_id) = 1 and p.volume_gb = 0
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
where s.customer_id = $customer and s.started_at > now() - interval '30 days';

-- Hourly figures of the last weeks, as the counting job would have written them.
insert into property_hours (customer_id, property_id, hour, online, sessions, tries, refused)
select $customer, property_id, hour, sum(online), sum(sessions), sum(tries), sum(refused)
from (
  select s.property_id, h.hour, count(*) filter (where s.started_at < h.hour + interval '50 minutes'
      and coalesce(s.stopped_at, now()) > h.hour + interval '30 minutes') as online,
    count(*) filter (where s.started_at >= h.hour) as sessions, 0 as tries, 0 as refused
  from radius_sessions s
  cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
  where s.customer_id = $customer
  group by 1, 2
  union all
  select property_id, date_trunc('hour', created_at, 'UTC'), 0, 0, count(*), count(*) filter (where not accepted)
  from radius_authorisations where customer_id = $customer and created_at > now() - interval '16 days' group by 1, 2
) counted group by property_id, hour;
with there as (
  select s.property_id, h.hour, 1 << (s.auth_method_id - 1) as method, count(*) as online
  from radius_sessions s
  cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
  where s.customer_id = $customer and s.started_at < h.hour + interval '50 minutes'
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
where h.customer_id = $customer and o.id = h.id;
insert into customer_hours (customer_id, hour, online)
select customer_id, hour, sum(online) from property_hours where customer_id = $customer group by customer_id, hour;

analyze;

-- Whose the sessions of an invented operator are: residents' by account, guests' by room and name, vouchers', and those of telephones and
-- addresses. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.assign_invented_sessions(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
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
end $function$;

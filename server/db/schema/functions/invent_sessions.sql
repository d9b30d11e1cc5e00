-- Sessions of the last lived_days days at the properties of an invented operator, of nobody yet: assign_invented_sessions says whose they
-- are. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.invent_sessions(lived_days integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
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
end $function$;

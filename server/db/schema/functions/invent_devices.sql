-- The devices and gateways of an invented operator. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.invent_devices(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
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
end $function$;

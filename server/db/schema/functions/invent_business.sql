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

  perform invent_people(made_for);
  perform invent_devices(made_for);
  perform invent_sessions(lived_days);
  perform invent_nights();
  perform assign_invented_sessions(made_for);
  perform invent_sums(made_for);
  perform invent_attempts(made_for);
  perform invent_hours(made_for);
  drop table demo_houses, demo_people, demo_residents, demo_staying;
end $function$;

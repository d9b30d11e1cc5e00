-- The ledger of nights of an invented operator. Called by invent_business, whose temporary tables it reads.

CREATE OR REPLACE FUNCTION public.invent_nights()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
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
end $function$;

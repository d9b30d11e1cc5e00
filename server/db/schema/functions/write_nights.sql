-- Writes the nights of a property of the caller's customer that are over, at most nights_max; returns how many. What has changed since a
-- night ended is read from the log, so that it is the same whenever it is written; nights that only a person can know stay unknown. Called
-- by the job that keeps the ledger.

CREATE OR REPLACE FUNCTION public.write_nights(property integer, nights_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET enable_nestloop TO 'off'
AS $function$
declare
  customer constant integer := app_customer_id();
  ledger night_ledgers;
  its properties;
  nights date[] := '{}';
  zones text[] := '{}';
  ends timestamptz[] := '{}';
  next date;
  zone text;
  ends_at timestamptz;
begin
  select * into ledger from night_ledgers l where l.customer_id = customer and l.property_id = property for no key update;
  if not found then return 0; end if;
  select * into its from properties p where p.customer_id = customer and p.id = property;
  while cardinality(nights) < nights_max loop
    next := ledger.kept_until + 1 + cardinality(nights);
    zone := value_then(customer, 'properties', property, 'time_zone', day_begins(next + 1, its.time_zone), to_jsonb(its.time_zone)) #>> '{}';
    ends_at := day_begins(next + 1, zone);
    exit when ends_at > least(app_now(), its.deleted_at);
    nights := nights || next;
    zones := zones || zone;
    ends := ends || ends_at;
  end loop;
  if cardinality(nights) = 0 then return 0; end if;

  with due as materialized (
    select d.night, d.zone, d.ends_at, d.ends_at < app_now() - interval '15 minutes' and exists (
        select from imports i where i.customer_id = customer and i.property_id = property and i.kind in ('accounts', 'rooms')
          and i.outcome = 'done' and i.created_at >= d.ends_at) as imported
    from unnest(nights, zones, ends) as d(night, zone, ends_at)
  ), stood as materialized (
    select * from property_then(its, nights, ends)
  ), stays as materialized (
    select s.night, (s.as_it_was ->> 'room_id')::integer as room_id from stood s
    where s.kind = 'room_guests' and coalesce((s.as_it_was ->> 'arrives_on')::date <= s.night, true)
      and coalesce((s.as_it_was ->> 'departs_on')::date > s.night, true)
    union
    select s.night, (s.as_it_was ->> 'room_id')::integer from stood s
    where s.kind = 'accounts' and (s.as_it_was ->> 'active')::boolean and not (s.as_it_was ->> 'draft')::boolean
      and coalesce((s.as_it_was ->> 'expires_at')::timestamptz > s.ends_at, true)
  ), let as materialized (
    select s.night, array_agg(s.as_it_was ->> 'number' order by s.as_it_was ->> 'number' collate room_order) as numbers
    from stood s join stays t on t.night = s.night and t.room_id = s.id
    where s.kind = 'rooms' and (s.as_it_was ->> 'active')::boolean and not (s.as_it_was ->> 'draft')::boolean
    group by s.night
  ), holidays as materialized (
    select distinct on (s.night) s.night, s.as_it_was ->> 'name' as name from stood s
    where s.kind = 'property_holidays' and s.night between (s.as_it_was ->> 'starts_on')::date and (s.as_it_was ->> 'ends_on')::date
    order by s.night, s.as_it_was ->> 'starts_on', s.id
  )
  insert into occupancy_nights (customer_id, property_id, night, total_units, occupied_units, room_numbers, unknown_because,
      is_holiday, holiday, minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, time_zone,
      property_name, group_id, accounting_contact_id)
    select customer, property, d.night, case when not d.imported then t.total_units end,
      case when not d.imported then coalesce(cardinality(l.numbers), 0) end,
      case when d.imported then '{}' else coalesce(l.numbers, '{}') end,
      case when d.imported then 'Guests were imported before this night was written down, and the file says nothing of it.' end,
      h.night is not null, h.name, t.minimum_billable_percentage, t.holiday_billable_percentage, t.rate_per_unit,
      property_currency(t), d.zone, t.name, t.group_id, t.accounting_contact_id
    from due d join stood s on s.kind = 'properties' and s.night = d.night
      cross join lateral jsonb_populate_record(its, s.as_it_was) as t
      left join let l on l.night = d.night
      left join holidays h on h.night = d.night
    order by d.night
    on conflict do nothing;
  update night_ledgers set kept_until = nights[cardinality(nights)] where id = ledger.id;
  return cardinality(nights);
end $function$
;

grant execute on function write_nights(integer,integer) to foyer_app;

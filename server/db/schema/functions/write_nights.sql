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
  terms constant text[] := array['name', 'group_id', 'accounting_contact_id', 'country_id', 'currency', 'total_units', 'rate_per_unit',
    'minimum_billable_percentage', 'holiday_billable_percentage'];
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
  ), records as materialized (
    select 'properties' as kind, its.id::bigint as id, timestamptz '-infinity' as made_at, its.deleted_at,
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(its)) where key = any(terms)) as present
    union all
    select 'property_holidays', h.id, h.created_at, h.deleted_at,
      jsonb_build_object('name', h.name, 'starts_on', h.starts_on, 'ends_on', h.ends_on)
    from property_holidays h where h.customer_id = customer and h.property_id = property
    union all
    select 'rooms', r.id, r.created_at, r.deleted_at, jsonb_build_object('number', r.number, 'active', r.active, 'draft', r.draft)
    from rooms r where r.customer_id = customer and r.property_id = property
    union all
    select 'room_guests', g.id, g.created_at, g.deleted_at,
      jsonb_build_object('room_id', g.room_id, 'arrives_on', g.arrives_on, 'departs_on', g.departs_on)
    from room_guests g where g.customer_id = customer and g.property_id = property
    union all
    select 'accounts', a.id, a.created_at, a.deleted_at,
      jsonb_build_object('room_id', a.room_id, 'expires_at', a.expires_at, 'active', a.active, 'draft', a.draft)
    from accounts a where a.customer_id = customer and a.property_id = property
  ), there as materialized (
    select r.* from records r
    where r.made_at < ends[cardinality(ends)] and (r.deleted_at is null or r.deleted_at >= ends[1])
  ), changes as materialized (
    select t.kind, t.id, t.present, a.line, a.created_at, a.action, a.before, a.after
    from there t cross join lateral (
      select a.id as line, a.created_at, a.action, a.before, a.after from activity a
      where a.customer_id = customer and a.object_type = t.kind and a.object_id = t.id and a.created_at >= ends[1] offset 0) a
  ), told as materialized (
    select c.kind, c.id, c.line, c.created_at, f.key, f.value from changes c cross join lateral jsonb_each(c.before) f
    where c.present ? f.key
    union all
    -- A change of many at once tells what became of them and not what was.
    select c.kind, c.id, c.line, c.created_at, f.key, to_jsonb(f.value = 'false') from changes c cross join lateral jsonb_each(c.after) f
    where c.before is null and c.action <> 'create' and jsonb_typeof(f.value) = 'boolean' and c.present ? f.key
  ), former as materialized (
    -- Of several changes after a night, the first tells what stood there: of equal keys, the last one given is kept.
    select t.kind, t.id, d.night, jsonb_object_agg(t.key, t.value order by t.created_at desc, t.line desc) as was
    from told t join due d on t.created_at >= d.ends_at
    group by t.kind, t.id, d.night
  ), stood as materialized (
    select t.kind, t.id, d.night, d.ends_at, t.present || coalesce(f.was, '{}') as as_it_was
    from there t join due d on t.made_at < d.ends_at and (t.deleted_at is null or t.deleted_at >= d.ends_at)
    left join former f on f.kind = t.kind and f.id = t.id and f.night = d.night
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

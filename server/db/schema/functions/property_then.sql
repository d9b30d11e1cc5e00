-- What stood of a property, its holidays, rooms, guests and accounts when each of these nights ended: as it is now, but for what the log
-- says has changed since. Nights and their ends are in order. Asked by write_nights, into whose statement PostgreSQL puts it.

CREATE OR REPLACE FUNCTION public.property_then(its properties, nights date[], ends timestamp with time zone[])
 RETURNS TABLE(kind text, id bigint, night date, ends_at timestamp with time zone, as_it_was jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  with records as materialized (
    select 'properties' as kind, (its).id::bigint as id, timestamptz '-infinity' as made_at, (its).deleted_at,
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(its)) where key = any(array['name', 'group_id',
        'accounting_contact_id', 'country_id', 'currency', 'total_units', 'rate_per_unit', 'minimum_billable_percentage',
        'holiday_billable_percentage'])) as present
    union all
    select 'property_holidays', h.id, h.created_at, h.deleted_at,
      jsonb_build_object('name', h.name, 'starts_on', h.starts_on, 'ends_on', h.ends_on)
    from property_holidays h where h.customer_id = (its).customer_id and h.property_id = (its).id
    union all
    select 'rooms', r.id, r.created_at, r.deleted_at, jsonb_build_object('number', r.number, 'active', r.active, 'draft', r.draft)
    from rooms r where r.customer_id = (its).customer_id and r.property_id = (its).id
    union all
    select 'room_guests', g.id, g.created_at, g.deleted_at,
      jsonb_build_object('room_id', g.room_id, 'arrives_on', g.arrives_on, 'departs_on', g.departs_on)
    from room_guests g where g.customer_id = (its).customer_id and g.property_id = (its).id
    union all
    select 'accounts', a.id, a.created_at, a.deleted_at,
      jsonb_build_object('room_id', a.room_id, 'expires_at', a.expires_at, 'active', a.active, 'draft', a.draft)
    from accounts a where a.customer_id = (its).customer_id and a.property_id = (its).id
  ), there as materialized (
    select r.* from records r
    where r.made_at < ends[cardinality(ends)] and (r.deleted_at is null or r.deleted_at >= ends[1])
  ), changes as materialized (
    select t.kind, t.id, t.present, a.line, a.created_at, a.action, a.before, a.after
    from there t cross join lateral (
      select a.id as line, a.created_at, a.action, a.before, a.after from activity a
      where a.customer_id = (its).customer_id and a.object_type = t.kind and a.object_id = t.id and a.created_at >= ends[1] offset 0) a
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
    from told t join unnest(nights, ends) as d(night, ends_at) on t.created_at >= d.ends_at
    group by t.kind, t.id, d.night
  )
  select t.kind, t.id, d.night, d.ends_at, t.present || coalesce(f.was, '{}') as as_it_was
  from there t join unnest(nights, ends) as d(night, ends_at)
    on t.made_at < d.ends_at and (t.deleted_at is null or t.deleted_at >= d.ends_at)
  left join former f on f.kind = t.kind and f.id = t.id and f.night = d.night
$function$;

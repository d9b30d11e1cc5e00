-- The numbers of the rooms of a property that were let on a night, which ends at ends_at: a guest or an active account was in them. With
-- late what has changed since is read from the log; rows made from known_by on do not count. Asked when nights are written, and by
-- rooms_now.

CREATE OR REPLACE FUNCTION public.occupied_rooms(customer integer, property integer, night date, ends_at timestamp with time zone, known_by timestamp with time zone, late boolean)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with let as (
    select case when late then value_then(customer, 'room_guests', g.id, 'room_id', ends_at, to_jsonb(g.room_id))::text
        else g.room_id::text end as room,
      case when late then value_then(customer, 'room_guests', g.id, 'arrives_on', ends_at, to_jsonb(g.arrives_on)) #>> '{}'
        else g.arrives_on::text end as arrives_on,
      case when late then value_then(customer, 'room_guests', g.id, 'departs_on', ends_at, to_jsonb(g.departs_on)) #>> '{}'
        else g.departs_on::text end as departs_on
    from room_guests g
    where g.customer_id = customer and g.property_id = property and g.created_at < known_by
      and (g.deleted_at is null or g.deleted_at >= ends_at)
  ), held as (
    select case when late then value_then(customer, 'accounts', a.id, 'room_id', ends_at, to_jsonb(a.room_id)) #>> '{}'
        else a.room_id::text end as room,
      case when late then value_then(customer, 'accounts', a.id, 'expires_at', ends_at, to_jsonb(a.expires_at)) #>> '{}'
        else a.expires_at::text end as expires_at,
      case when late then value_then(customer, 'accounts', a.id, 'active', ends_at, to_jsonb(a.active)) = 'true'
        and value_then(customer, 'accounts', a.id, 'draft', ends_at, to_jsonb(a.draft)) = 'false'
        else a.status = 'active' end as active
    from accounts a
    where a.customer_id = customer and a.property_id = property and a.created_at < known_by
      and (a.deleted_at is null or a.deleted_at >= ends_at)
  )
  select coalesce(array_agg(r.number::text order by r.number), '{}')
  from rooms r
  where r.customer_id = customer and r.property_id = property and r.created_at < known_by
    and (r.deleted_at is null or r.deleted_at >= ends_at)
    and case when late then value_then(customer, 'rooms', r.id, 'active', ends_at, to_jsonb(r.active)) = 'true'
      and value_then(customer, 'rooms', r.id, 'draft', ends_at, to_jsonb(r.draft)) = 'false' else r.status = 'active' end
    and r.id::text in (
      select l.room from let l where (l.arrives_on is null or l.arrives_on::date <= night)
        and (l.departs_on is null or l.departs_on::date > night)
      union all
      select h.room from held h where h.active and (h.expires_at is null or h.expires_at::timestamptz > ends_at))
$function$;

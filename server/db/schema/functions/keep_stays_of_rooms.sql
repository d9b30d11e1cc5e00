-- Trigger of room guests that came, left or moved: their rooms have the first arrival and the last departure of those who stay there; no
-- departure where one of them has none. Rooms are locked in the order of their ids.

CREATE OR REPLACE FUNCTION public.keep_stays_of_rooms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed integer[];
  customers integer[];
begin
  if tg_op = 'INSERT' then
    changed := array(select distinct room_id from new_rows);
  elsif tg_op = 'DELETE' then
    changed := array(select distinct room_id from old_rows);
  else
    changed := array(select o.room_id from old_rows as o join new_rows as n on n.id = o.id
      where (o.room_id, o.arrives_on, o.departs_on, o.deleted_at) is distinct from (n.room_id, n.arrives_on, n.departs_on, n.deleted_at)
      union select n.room_id from old_rows as o join new_rows as n on n.id = o.id where n.room_id <> o.room_id);
  end if;
  if changed = '{}' then return null; end if;
  customers := array(select distinct r.customer_id from rooms as r where r.id = any(changed));
  -- Held first, so that the next statement sees who else has come or gone meanwhile.
  perform from rooms as r where r.id = any(changed) order by r.id for no key update of r;
  -- Read once: where the database has no statistics yet, a join would read the customer's guests for each room.
  with guests as materialized (
    select g.room_id, min(g.arrives_on) as arrives_on,
      case when bool_and(g.departs_on is not null) then max(g.departs_on) end as departs_on
    from room_guests as g
    where g.customer_id = any(customers) and g.room_id = any(changed) and g.deleted_at is null
    group by g.room_id),
  stays as (
    select r.id, g.arrives_on, g.departs_on from unnest(changed) as r(id) left join guests as g on g.room_id = r.id)
  update rooms as r set arrives_on = s.arrives_on, departs_on = s.departs_on from stays as s
  where r.id = any(changed) and r.id = s.id and (r.arrives_on, r.departs_on) is distinct from (s.arrives_on, s.departs_on);
  return null;
end $function$;

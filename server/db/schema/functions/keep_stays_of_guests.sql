-- Trigger of room guests that were changed: their stay has the room and the days that they have. Who is moved alone has a stay of their own
-- from then on; who comes back to those they came with shares theirs; a stay without guests is deleted. Stays are locked in the order of
-- their ids.

CREATE OR REPLACE FUNCTION public.keep_stays_of_guests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched integer[] := array(select distinct n.stay_id from old_rows as o join new_rows as n on n.id = o.id
    where n.stay_id is not null and (o.room_id, o.arrives_on, o.departs_on, o.deleted_at)
      is distinct from (n.room_id, n.arrives_on, n.departs_on, n.deleted_at));
  customers integer[];
  living integer[];
  part record;
  other integer;
begin
  if touched = '{}' then return null; end if;
  customers := array(select distinct n.customer_id from new_rows as n);
  perform from stays as s where s.id = any(touched) order by s.id for no key update of s;
  -- Read once: where the database has no statistics yet, a join would read the customer's guests for each stay.
  living := array(select distinct g.stay_id from room_guests as g
    where g.customer_id = any(customers) and g.stay_id = any(touched) and g.deleted_at is null);
  update stays as s set deleted_at = now() where s.id = any(touched) and s.deleted_at is null and not s.id = any(living);
  for part in
    with guests as materialized (
      select g.* from room_guests as g
      where g.customer_id = any(customers) and g.stay_id = any(living) and g.deleted_at is null)
    select p.* from (
      select s.id, g.property_id, g.room_id, g.room_number, g.arrives_on, g.departs_on, array_agg(g.id) as guests,
        row_number() over (partition by s.id order by
          (g.room_id, g.arrives_on, g.departs_on) is distinct from (s.room_id, s.arrives_on, s.departs_on), min(g.id)) as place
      from stays as s join guests as g on g.stay_id = s.id
      where s.id = any(living)
      group by s.id, g.property_id, g.room_id, g.room_number, g.arrives_on, g.departs_on, s.room_id, s.arrives_on, s.departs_on) as p
    order by p.id, p.place
  loop
    -- Those who came with them, were parted from them, and are with them again.
    select y.id into other from stays as s join stays as y on y.customer_id = s.customer_id and y.room_id = part.room_id
        and y.created_at = s.created_at and y.id <> s.id and y.deleted_at is null
        -- The property's own system knows each apart.
        and y.stay_key is not distinct from s.stay_key
      where s.id = part.id and (y.arrives_on, y.departs_on) is not distinct from (part.arrives_on, part.departs_on)
        and (y.until_time, y.package_id, y.devices, y.note, y.group_name)
          is not distinct from (s.until_time, s.package_id, s.devices, s.note, s.group_name)
      order by y.id limit 1;
    if other < part.id or (other is not null and part.place > 1) then
      update room_guests as g set stay_id = other where g.id = any(part.guests);
      if part.place = 1 then update stays as s set deleted_at = now() where s.id = part.id; end if;
    elsif part.place = 1 then
      -- The one that was there first goes on.
      if other is not null then
        update room_guests as g set stay_id = part.id
          where g.customer_id = app_customer_id() and g.stay_id = other and g.deleted_at is null;
        update stays as s set deleted_at = now() where s.id = other;
      end if;
      update stays as s set property_id = part.property_id, room_id = part.room_id, room_number = part.room_number,
          arrives_on = part.arrives_on, departs_on = part.departs_on, deleted_at = null
        where s.id = part.id and (s.room_id, s.arrives_on, s.departs_on, s.deleted_at)
          is distinct from (part.room_id, part.arrives_on, part.departs_on, null::timestamptz);
    else
      -- Who was moved, or leaves on another day, has a stay of their own from now on, with what the desk gave and what a system told.
      insert into stays (customer_id, property_id, room_id, room_number, stay_key, arrives_on, departs_on, until_time, package_id, devices,
          note, group_name, source, may_be_charged, in_dispute, told_at, created_at)
        select s.customer_id, part.property_id, part.room_id, part.room_number, s.stay_key, part.arrives_on, part.departs_on, s.until_time,
          s.package_id, s.devices, s.note, s.group_name, s.source, s.may_be_charged, s.in_dispute, s.told_at, s.created_at
        from stays as s where s.id = part.id returning id into other;
      update room_guests as g set stay_id = other where g.id = any(part.guests);
    end if;
  end loop;
  return null;
end $function$;

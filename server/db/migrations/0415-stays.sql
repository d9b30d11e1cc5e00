-- Stays: who has come, who is expected, and until when each room is taken.

-- Whoever is put into a room on the day of arrival or later has come with it, whoever puts them there (the desk, a list, a
-- property's system). Whoever is put there ahead is expected, until the desk checks them in.
alter table room_guests add column checked_in_at timestamptz;
update room_guests as g set checked_in_at = g.created_at
  from properties as p
  where p.customer_id = g.customer_id and p.id = g.property_id
    and (g.arrives_on is null or g.arrives_on <= local_day(app_now(), p.time_zone));

create function note_arrival() returns trigger language plpgsql as $$
declare
  today date := (select local_day(app_now(), p.time_zone) from properties as p
    where p.customer_id = new.customer_id and p.id = new.property_id);
begin
  if new.arrives_on > today then
    new.checked_in_at := null;
  elsif tg_op = 'INSERT' and new.checked_in_at is null then
    new.checked_in_at := now();
  end if;
  return new;
end $$;
-- After keep_room_of_guest, by its name: that says which property it is.
create trigger note_arrival before insert or update of arrives_on on room_guests
  for each row execute function note_arrival();

create index on room_guests (customer_id, property_id, departs_on, id) where deleted_at is null;
create index on room_guests (customer_id, property_id, arrives_on, id) where deleted_at is null and checked_in_at is null;
create index on room_guests (customer_id, coalesce(arrives_on, 'infinity'), id) where deleted_at is null;
create index on room_guests (customer_id, coalesce(departs_on, 'infinity'), id) where deleted_at is null;

-- Of the guests in a room: the first day of one of them, and the day on which the last leaves. Kept as they come and go, since a
-- list is sorted by them. Without an end where one of them has none.
alter table rooms add column arrives_on date, add column departs_on date;

create function keep_stays_of_rooms() returns trigger language plpgsql as $$
declare
  changed integer[];
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
  -- Held first, so that the next statement sees who else has come or gone meanwhile.
  perform from rooms as r where r.id = any(changed) order by r.id for no key update of r;
  with stays as (
    select r.id, min(g.arrives_on) as arrives_on,
      case when bool_and(g.departs_on is not null) then max(g.departs_on) end as departs_on
    from rooms as r
    left join room_guests as g on g.customer_id = r.customer_id and g.room_id = r.id and g.deleted_at is null
    where r.id = any(changed)
    group by r.id)
  update rooms as r set arrives_on = s.arrives_on, departs_on = s.departs_on from stays as s
  where r.id = s.id and (r.arrives_on, r.departs_on) is distinct from (s.arrives_on, s.departs_on);
  return null;
end $$;

update rooms as r set arrives_on = s.arrives_on, departs_on = s.departs_on from (
  select room_id, min(arrives_on) as arrives_on, case when bool_and(departs_on is not null) then max(departs_on) end as departs_on
  from room_guests where deleted_at is null group by room_id) as s
where r.id = s.room_id;

create trigger keep_stays_of_arrivals after insert on room_guests referencing new table as new_rows
  for each statement execute function keep_stays_of_rooms();
create trigger keep_stays_of_moves after update on room_guests referencing old table as old_rows new table as new_rows
  for each statement execute function keep_stays_of_rooms();
create trigger keep_stays_of_departures after delete on room_guests referencing old table as old_rows
  for each statement execute function keep_stays_of_rooms();

create index on rooms (customer_id, coalesce(arrives_on, 'infinity'), id) where deleted_at is null;
create index on rooms (customer_id, coalesce(departs_on, 'infinity'), id) where deleted_at is null;
create index on rooms (customer_id, property_id, coalesce(departs_on, 'infinity'), id) where deleted_at is null;

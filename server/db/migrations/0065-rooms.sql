-- Rooms: how many people are in each, their numbers in the order that people count in, and whose a room guest is.

-- 2 stands before 10, and A-9 before A-10, wherever rooms are sorted by number.
create collation room_order (provider = icu, locale = 'und-u-kn-true');
drop trigger pass_room_number_on on rooms;
alter table rooms drop column search;
alter table rooms alter column number type text collate room_order;
alter table rooms add column search text not null generated always as
  (search_text(' ' || number || ' ' || coalesce(external_reference, ''))) stored;
select make_searchable('rooms');
create trigger pass_room_number_on after update of number on rooms
  for each row when (new.number is distinct from old.number) execute function pass_room_number_on();

-- Guests and accounts in the room. It is counted as they come and go, because among a hundred thousand rooms the few that
-- are vacant are found by an index and not by looking into each.
alter table rooms add column occupants integer not null default 0;
alter table rooms add column occupancy text not null generated always as
  (case when occupants > 0 then 'occupied' else 'vacant' end) stored;
update rooms as r set occupants = present.people from (
  select room_id, count(*)::integer as people from (
    select room_id from room_guests where deleted_at is null
    union all select room_id from accounts where deleted_at is null and room_id is not null) as someone
  group by room_id) as present
where r.id = present.room_id;

create index on rooms (customer_id, number, id) where deleted_at is null;
create index on rooms (customer_id, property_id, number, id) where deleted_at is null;
create index on rooms (customer_id, status, created_at desc, id desc) where deleted_at is null;
create index on rooms (customer_id, occupancy, created_at desc, id desc) where deleted_at is null;
create index on rooms (customer_id, occupancy, number, id) where deleted_at is null;

-- Adds and takes away for all rows of a statement at once, the rooms locked in one order, so that two guests who change
-- places at the same moment do not wait for one another. A row that stays where it is counts on both sides.
create function count_occupants() returns trigger language plpgsql as $$
declare
  came integer[];
  went integer[];
begin
  if tg_op in ('INSERT', 'UPDATE') then
    select array_agg(room_id) into came from new_rows where room_id is not null and deleted_at is null;
  end if;
  if tg_op in ('UPDATE', 'DELETE') then
    select array_agg(room_id) into went from old_rows where room_id is not null and deleted_at is null;
  end if;
  if came is not distinct from went then return null; end if;
  with change as (
    select room_id, sum(people)::integer as people from (
      select unnest(came) as room_id, 1 as people union all select unnest(went), -1) as one
    group by room_id having sum(people) <> 0),
  locked as (
    select r.id, change.people from rooms as r join change on change.room_id = r.id order by r.id for no key update of r)
  update rooms as r set occupants = r.occupants + locked.people from locked where r.id = locked.id;
  return null;
end $$;

create trigger count_arrivals after insert on room_guests referencing new table as new_rows
  for each statement execute function count_occupants();
create trigger count_moves after update on room_guests referencing old table as old_rows new table as new_rows
  for each statement execute function count_occupants();
create trigger count_departures after delete on room_guests referencing old table as old_rows
  for each statement execute function count_occupants();
create trigger count_arrivals after insert on accounts referencing new table as new_rows
  for each statement execute function count_occupants();
create trigger count_moves after update on accounts referencing old table as old_rows new table as new_rows
  for each statement execute function count_occupants();
create trigger count_departures after delete on accounts referencing old table as old_rows
  for each statement execute function count_occupants();

-- A room guest is known by one name, and belongs to the property of the room.
alter table room_guests add column name text not null generated always as
  (btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored;
alter table room_guests add column property_id integer;
update room_guests as g set property_id = r.property_id from rooms as r where r.id = g.room_id;
alter table room_guests alter column property_id set not null;
alter table room_guests add foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade;
select make_list('room_guests', 'property_id');
create index on room_guests (customer_id, name, id) where deleted_at is null;

create function keep_room_of_guest() returns trigger language plpgsql as $$
begin
  select r.number, r.property_id into new.room_number, new.property_id from rooms as r
    where r.customer_id = new.customer_id and r.id = new.room_id;
  return new;
end $$;
drop trigger keep_room_number on room_guests;
create trigger keep_room_of_guest before insert or update of room_id on room_guests
  for each row execute function keep_room_of_guest();

-- Whoever is still in a room that goes with its property goes along.
create function remove_room_guests() returns trigger language plpgsql as $$
begin
  update room_guests set deleted_at = new.deleted_at
    where customer_id = new.customer_id and room_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger remove_room_guests after update of deleted_at on rooms
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function remove_room_guests();

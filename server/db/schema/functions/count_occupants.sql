-- Trigger of a statement that writes room guests or accounts: adds to, and takes from, the occupants of the rooms that they came to or
-- left. Rooms are locked in the order of their ids.

CREATE OR REPLACE FUNCTION public.count_occupants()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

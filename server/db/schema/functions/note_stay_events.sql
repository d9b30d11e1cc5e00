-- Trigger of room guests who are checked in, moved or checked out: records stay.began, stay.moved and stay.ended for webhooks.

CREATE OR REPLACE FUNCTION public.note_stay_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id, 'data',
        jsonb_build_object('room_id', n.room_id))) as happened
      from new_rows n where n.checked_in_at is not null and n.deleted_at is null group by n.customer_id
    loop
      perform record_events(mine.customer_id, 'stay.began', 'room_guest', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select c.customer_id, c.kind, jsonb_agg(jsonb_build_object('id', c.id, 'property_id', c.property_id, 'data', c.data)) as happened
    from (
      select n.customer_id, n.id, n.property_id, case
          when o.is_in and not n.is_in then 'stay.ended' when n.is_in and not o.is_in then 'stay.began'
          when n.is_in and n.room_id <> o.room_id then 'stay.moved' end as kind,
        case when o.is_in and n.is_in then jsonb_build_object('room_id', n.room_id, 'from_room_id', o.room_id)
          else jsonb_build_object('room_id', n.room_id) end as data
      from (select *, checked_in_at is not null and deleted_at is null as is_in from new_rows) n
      join (select *, checked_in_at is not null and deleted_at is null as is_in from old_rows) o on o.id = n.id) c
    where c.kind is not null group by c.customer_id, c.kind
  loop
    perform record_events(mine.customer_id, mine.kind, 'room_guest', mine.happened);
  end loop;
  return null;
end $function$;

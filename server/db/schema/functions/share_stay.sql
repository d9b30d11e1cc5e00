-- Trigger of room guests without a stay: those who come into one room for the same days in one transaction share one, others have a new
-- one.

CREATE OR REPLACE FUNCTION public.share_stay()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  shared integer;
begin
  if new.stay_id is not null or new.deleted_at is not null then return new; end if;
  -- One act is one transaction, in which everything has the same time.
  select s.id into shared from stays as s
    where s.customer_id = new.customer_id and s.room_id = new.room_id and s.created_at = new.created_at and s.deleted_at is null
      and s.stay_key is null
      and (s.arrives_on, s.departs_on) is not distinct from (new.arrives_on, new.departs_on)
    order by s.id limit 1;
  if shared is null then
    insert into stays (customer_id, property_id, room_id, room_number, arrives_on, departs_on, created_at)
      values (new.customer_id, new.property_id, new.room_id, new.room_number, new.arrives_on, new.departs_on, new.created_at) returning id into shared;
  end if;
  new.stay_id := shared;
  return new;
end $function$;

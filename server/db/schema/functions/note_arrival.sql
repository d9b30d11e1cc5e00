-- Trigger of room guests: who arrives later than the present day, by the property's clock, is not checked in; who is new and arrives no
-- later is, from now on.

CREATE OR REPLACE FUNCTION public.note_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

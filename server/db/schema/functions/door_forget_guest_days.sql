-- Deletes who was online on days older than kept_s, and keeps how many guests and new guests there were. At most rows_max rows, shared by
-- all customers; returns whether more is left. Whole days of a property, so that a guest counts once.

CREATE OR REPLACE FUNCTION public.door_forget_guest_days(kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  until constant date := (now() - make_interval(secs => kept_s))::date - 1;
  customer integer;
  gone integer;
  total integer := 0;
begin
  -- All customers share the rows of a call, which is one transaction with a limit of time; the next call begins with another one.
  for customer in select id from customers order by random() loop
    -- Whole days of a property: a guest counts once, by however many ways they signed in on it.
    with old as (
      select distinct o.property_id, o.day from (
        select d.property_id, d.day from guest_days d where d.customer_id = customer and d.day < until
        order by d.day, d.property_id limit rows_max) o
    ), forgotten as (
      delete from guest_days t using old
        where t.customer_id = customer and t.property_id = old.property_id and t.day = old.day
        returning t.property_id, t.day, t.guest, t.auth_method_id, t.first_seen
    ), seen as (
      select f.property_id, f.day, array_agg(coalesce(f.auth_method_id, 0) order by f.auth_method_id) as auth_method_ids,
        bool_or(f.first_seen) as is_new
      from forgotten f group by f.property_id, f.day, f.guest
    ), kept as (
      insert into guest_day_sums as k (customer_id, property_id, day, auth_method_ids, guests, new_guests)
      select customer, s.property_id, s.day, s.auth_method_ids, count(*), count(*) filter (where s.is_new)
      from seen s group by s.property_id, s.day, s.auth_method_ids
      on conflict (customer_id, property_id, day, auth_method_ids) do update set
        guests = k.guests + excluded.guests, new_guests = k.new_guests + excluded.new_guests
    )
    select count(*) into gone from forgotten;
    total := total + gone;
    delete from guest_first_days t using (
      select o.id from guest_first_days o where o.customer_id = customer and o.last_day < until order by o.last_day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    total := total + gone;
    exit when total >= rows_max;
  end loop;
  return total >= rows_max;
end $function$;

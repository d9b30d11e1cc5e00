-- Deletes sums by day and by hour that are older than kept_s, in steps of some rows_max, and notes the first day of which they stand.
-- Returns whether more is left.

CREATE OR REPLACE FUNCTION public.door_forget_sums(kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  until constant date := (now() - make_interval(secs => kept_s))::date - 1;
  -- That day begins nowhere earlier.
  until_hour constant timestamptz := until::timestamp at time zone 'UTC' - interval '14 hours';
  customer integer;
  touched integer[] := '{}';
  gone integer;
  of_days integer;
  total integer := 0;
begin
  -- All customers share the rows of a call, which is one transaction with a limit of time; the next call begins with another one.
  for customer in select id from customers order by random() loop
    delete from session_days t using (
      select o.id from session_days o where o.customer_id = customer and o.day < until order by o.day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics of_days = row_count;
    delete from guest_day_sums t using (
      select o.id from guest_day_sums o where o.customer_id = customer and o.day < until order by o.day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    of_days := of_days + gone;
    delete from property_hours t using (
      select o.id from property_hours o where o.customer_id = customer and o.hour < until_hour order by o.hour limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    of_days := of_days + gone;
    if of_days > 0 then touched := touched || customer; end if;
    delete from customer_hours t using (
      select o.id from customer_hours o where o.customer_id = customer and o.hour < until_hour order by o.hour limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    total := total + of_days + gone;
    exit when total >= rows_max;
  end loop;
  -- In one order: another job may note something of the same customers.
  perform from customers c where c.id = any (touched) order by c.id for no key update;
  update customers c set sums_kept_since = greatest(c.sums_kept_since, until) where c.id = any (touched);
  return total >= rows_max;
end $function$;

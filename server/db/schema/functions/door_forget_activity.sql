-- Deletes lines of the activity log that are older than kept_s, in steps of rows_max, and notes since when they stand. Returns whether more
-- is left. Nobody else deletes any: the app's login may only add and read.

CREATE OR REPLACE FUNCTION public.door_forget_activity(kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  until constant timestamptz := now() - make_interval(secs => kept_s);
  customer integer;
  touched integer[] := '{}';
  gone integer;
  total integer := 0;
begin
  -- All customers share the rows of a call, which is one transaction with a limit of time; the next call begins with another one.
  for customer in select id from customers order by random() loop
    delete from activity t using (
      select o.id from activity o where o.customer_id = customer and o.created_at < until order by o.created_at limit rows_max - total) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    if gone > 0 then touched := touched || customer; end if;
    total := total + gone;
    exit when total >= rows_max;
  end loop;
  -- In one order: another job may note something of the same customers.
  perform from customers c where c.id = any (touched) order by c.id for no key update;
  update customers c set activity_kept_since = greatest(c.activity_kept_since, until) where c.id = any (touched);
  return total >= rows_max;
end $function$;

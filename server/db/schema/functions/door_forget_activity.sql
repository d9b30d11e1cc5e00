-- Deletes lines of the activity log that are older than kept_s, in steps of rows_max of each customer, and notes since when they stand.
-- Returns whether more is left. Nobody else deletes any: the app's login may only add and read.

CREATE OR REPLACE FUNCTION public.door_forget_activity(kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  until constant timestamptz := now() - make_interval(secs => kept_s);
  customer integer;
  gone integer;
  most integer := 0;
begin
  for customer in select id from customers loop
    delete from activity t using (
      select o.id from activity o where o.customer_id = customer and o.created_at < until order by o.created_at limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    update customers c set activity_kept_since = greatest(c.activity_kept_since, until) where gone > 0 and c.id = customer;
    most := greatest(most, gone);
  end loop;
  return most >= rows_max;
end $function$;

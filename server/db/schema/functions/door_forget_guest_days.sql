-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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
  most integer := 0;
begin
  for customer in select id from customers loop
    delete from guest_days t using (
      select o.id from guest_days o where o.customer_id = customer and o.day < until order by o.day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
    delete from guest_first_days t using (
      select o.id from guest_first_days o where o.customer_id = customer and o.last_day < until order by o.last_day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
  end loop;
  return most >= rows_max;
end $function$;

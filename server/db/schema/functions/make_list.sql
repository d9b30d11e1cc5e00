-- For migrations: the indexes by which a table's list is read from the newest, of a customer, and of each parent that is named.

CREATE OR REPLACE FUNCTION public.make_list(listed_table regclass, VARIADIC parents text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  parent text;
  undeleted text := case when exists (select from pg_attribute where attrelid = listed_table and attname = 'deleted_at')
    then 'where deleted_at is null' else '' end;
begin
  -- Ascending, although lists are read from the newest: pages of an index are filled to the end only where keys grow.
  execute format('create index on %s (customer_id, created_at, id) %s', listed_table, undeleted);
  foreach parent in array parents loop
    execute format('create index on %s (customer_id, %I, created_at, id) %s', listed_table, parent, undeleted);
  end loop;
end $function$;

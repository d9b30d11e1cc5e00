-- Deletes, in steps of rows_max, what is kept of an import for 24 hours: problems of its lines, and the rows by which it can be undone.
-- Returns whether more is left.

CREATE OR REPLACE FUNCTION public.door_forget_imports(rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  past record;
  forgotten integer;
begin
  update imports set problems = null where id in (
    select i.id from imports i where i.problems is not null and i.created_at <= now() - interval '24 hours'
    order by i.created_at limit rows_max for update skip locked);
  get diagnostics forgotten = row_count;
  if forgotten > 0 then return true; end if;
  select i.customer_id, i.id into past from imports i
    where i.undo_until is not null and (i.undo_until <= now() or i.undone_at is not null)
    order by i.undo_until limit 1 for update skip locked;
  if not found then return false; end if;
  delete from import_rows where id in (
    select r.id from import_rows r where r.customer_id = past.customer_id and r.import_id = past.id limit rows_max);
  get diagnostics forgotten = row_count;
  if forgotten < rows_max then
    update imports set undo_until = null where customer_id = past.customer_id and id = past.id;
  end if;
  return true;
end $function$;

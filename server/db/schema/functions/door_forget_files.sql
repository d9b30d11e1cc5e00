-- Deletes rows of uploaded files that nothing refers to a day after they came, at most rows_max. Returns how many; what refers to files is
-- read from the foreign keys, so that none is forgotten.

CREATE OR REPLACE FUNCTION public.door_forget_files(rows_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  unused text;
  forgotten integer;
begin
  select string_agg(format('not exists (select from %s u where u.customer_id = f.customer_id and u.%I = f.id)',
      k.conrelid::regclass, a.attname), ' and ') into unused
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
    where k.contype = 'f' and k.confrelid = 'public.files'::regclass;
  execute format('delete from files where id in (select f.id from files f
    where f.created_at < now() - interval ''1 day'' and %s limit $1)', unused) using rows_max;
  get diagnostics forgotten = row_count;
  return forgotten;
end $function$;

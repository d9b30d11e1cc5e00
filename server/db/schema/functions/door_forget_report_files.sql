-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_forget_report_files(rows_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  forgotten integer;
begin
  update report_runs set file_id = null where id in (
    select id from report_runs where file_id is not null and kept_until < now() limit rows_max);
  get diagnostics forgotten = row_count;
  return forgotten;
end $function$;

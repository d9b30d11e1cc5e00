-- Lets go of files of reports that are kept no longer, at most rows_max; door_forget_files deletes them. Returns how many.

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

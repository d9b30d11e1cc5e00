-- Trigger of what a trial or a sample must not change: the row stays as it is, and the statement goes on.

CREATE OR REPLACE FUNCTION public.leave_alone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  return null;
end $function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.let_go_of_portal_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from portal_files where customer_id = new.customer_id and portal_id = new.id;
  return null;
end $function$;

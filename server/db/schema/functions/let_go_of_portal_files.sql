-- Trigger of a portal that is deleted: lets go of the files of its custom pages, which are then forgotten.

CREATE OR REPLACE FUNCTION public.let_go_of_portal_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from portal_files where customer_id = new.customer_id and portal_id = new.id;
  return null;
end $function$;

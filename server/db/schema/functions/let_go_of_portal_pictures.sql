-- Trigger of a portal that is deleted: it and its versions let go of their pictures, which are then forgotten.

CREATE OR REPLACE FUNCTION public.let_go_of_portal_pictures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update portal_versions set logo_file_id = null, portal_image_file_id = null
    where customer_id = new.customer_id and portal_id = new.id;
  new.logo_file_id = null;
  new.portal_image_file_id = null;
  return new;
end $function$;

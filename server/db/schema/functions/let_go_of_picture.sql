-- Trigger of a portal footer that is deleted: lets go of its picture, which is then forgotten.

CREATE OR REPLACE FUNCTION public.let_go_of_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.image_file_id = null;
  return new;
end $function$;

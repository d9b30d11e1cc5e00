-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.let_go_of_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.image_file_id = null;
  return new;
end $function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.let_go_of_picture()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.image_file_id = null;
  return new;
end $function$;

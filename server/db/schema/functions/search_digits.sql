-- Written by `npm run tables` from what the migrations made, never by hand.

CREATE OR REPLACE FUNCTION public.search_digits(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when written ~ '[0-9][^0-9]+[0-9]|^[+0]' then ' ' || regexp_replace(written, '[^0-9]', '', 'g') else '' end
$function$
;

grant execute on function search_digits(text) to foyer_app;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.search_digits(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when written ~ '[0-9][^0-9]+[0-9]|^[+0]' then ' ' || regexp_replace(written, '[^0-9]', '', 'g') else '' end
$function$
;

grant execute on function search_digits(text) to foyer_app;

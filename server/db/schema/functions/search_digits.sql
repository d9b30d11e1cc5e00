-- What numbers with blanks or signs between are also found by: the digits alone. Of generated columns, so another form needs another
-- column.

CREATE OR REPLACE FUNCTION public.search_digits(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when written ~ '[0-9][^0-9]+[0-9]|^[+0]' then ' ' || regexp_replace(written, '[^0-9]', '', 'g') else '' end
$function$
;

grant execute on function search_digits(text) to foyer_app;

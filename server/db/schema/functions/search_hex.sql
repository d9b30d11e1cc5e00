-- What MAC addresses are also found by: their digits without colons, dots and hyphens. Of generated columns, so another form needs another
-- column.

CREATE OR REPLACE FUNCTION public.search_hex(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  -- search_text leaves dots and hyphens out by itself.
  select case when written like '%:%' and written ~ '[0-9A-Fa-f][:.-][0-9A-Fa-f]' then ' ' || translate(written, ':.-', '') else '' end
$function$
;

grant execute on function search_hex(text) to foyer_app;

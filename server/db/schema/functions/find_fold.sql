-- The form in which a room's number, or a name typed at the portal, is compared: as same_fold, without accents, the word room, blanks,
-- dots, hyphens and leading zeros. A generated column keeps it, so another form needs another column.

CREATE OR REPLACE FUNCTION public.find_fold(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select regexp_replace(
    regexp_replace(
      regexp_replace(without_accents(same_fold(typed)), '(^|[^a-z0-9])room(?![a-z])', '\1', 'g'),
      '[ \t\n\v\f\r\u0085\u1680\u2028\u2029.''\u00b7\u2022\u3002\u30fb\u30fc-]', '', 'g'),
    '^0+(?=.)', '')
$function$
;

grant execute on function find_fold(text) to foyer_app;

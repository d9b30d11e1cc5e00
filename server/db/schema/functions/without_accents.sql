-- Folded text with letters in their plain form: é is e, ß is ss, ø is o. A generated column keeps it, so another form needs another column.

CREATE OR REPLACE FUNCTION public.without_accents(folded text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when octet_length(folded) = length(folded) then folded
    else normalize(
      replace(replace(replace(replace(translate(
        regexp_replace(normalize(folded, nfkd), '[\u0300-\u036f]', '', 'g'),
        'øłđħıŧð', 'oldhitd'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfkc) end
$function$
;

grant execute on function without_accents(text) to foyer_app;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

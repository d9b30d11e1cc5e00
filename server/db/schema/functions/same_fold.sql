-- The form in which names that people type are compared: small letters, Unicode NFKC, one hyphen, one apostrophe, nothing invisible, no
-- blanks around. As folded in contract/folded.ts; a generated column keeps it, so another form needs another column.

CREATE OR REPLACE FUNCTION public.same_fold(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when octet_length(typed) = length(typed) then btrim(translate(lower(typed collate "C"), '`', ''''), E' \t\n\x0b\x0c\r') collate "default"
    else regexp_replace(
      translate(
        normalize(lower(normalize(translate(
          regexp_replace(typed, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f'
            '\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'),
          U&'\00B4', ''''), nfkc) collate "und-x-icu"), nfkc),
        U&'\03C2\058A\05BE\2010\2011\2012\2013\2014\2015\2043\2212\2E3A\2E3B`\02B9\02BB\02BC\02BD\05F3\2018\2019\201B\2032\2035\A78C',
        U&'\03C3' || repeat('-', 12) || repeat('''', 12)),
      '^[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+|[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+$', '', 'g') collate "default" end
$function$
;

grant execute on function same_fold(text) to foyer_app;

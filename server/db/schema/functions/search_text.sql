-- What a row is found by, of the texts that it is written with: folded, without accents, and besides with points, hyphens and apostrophes
-- as blanks. Of generated columns, so another form needs another column.

CREATE OR REPLACE FUNCTION public.search_text(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  -- In steps: each row that is written calls this, and PostgreSQL calls neither function where it can put its expression in place.
  folded text := same_fold(written);
  mac text;
  plain text;
  found text;
begin
  folded := without_accents(folded);
  -- A MAC address by itself is found by its digits, which stand beside it.
  mac := substring(folded from '\s((?:[0-9a-f]{2}:){5}[0-9a-f]{2})(?=\s|$)');
  if strpos(folded, translate(mac, ':', '')) > 0 then
    folded := regexp_replace(folded, '(\s)' || mac || '(?=\s|$)', '\1', 'g');
  end if;
  plain := translate(folded, '.''·•-', '');
  found := ' ' || plain;
  if folded ~ '[.''·•-]' then
    found := found || regexp_replace(
      translate(regexp_replace(' ' || folded, '\s[^\s.''·•-]+(?=\s|$)', '', 'g'), '.''·•-', '     '), '\s+', ' ', 'g');
  end if;
  if plain ~ '(^|\s)[a-z]{1,2}\s+[0-9]' then
    found := found || coalesce((select string_agg(' ' || m[1] || m[2], '')
      from regexp_matches(plain, '(?:^|\s)([a-z]{1,2})\s+([0-9]\S*)', 'g') as m), '');
  end if;
  if plain ~ '[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]\s+[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]' then
    found := found || ' ' || regexp_replace(plain,
      '([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\s+(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])', '\1', 'g');
  end if;
  return found;
end $function$
;

grant execute on function search_text(text) to foyer_app;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.search_text(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  -- Not one statement: each row that is written calls this, and an executor of its own costs five times as much.
  folded constant text := without_accents(same_fold(written));
  plain constant text := translate(folded, '.''·•-', '');
  found text := ' ' || plain;
begin
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

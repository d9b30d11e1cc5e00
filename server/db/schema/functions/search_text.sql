-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.search_text(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select ' ' || plain
    || case when folded ~ '[.''·•-]'
      then regexp_replace(translate(regexp_replace(' ' || folded, '\s[^\s.''·•-]+(?=\s|$)', '', 'g'), '.''·•-', '     '), '\s+', ' ', 'g')
      else '' end
    || case when plain ~ '(^|\s)[a-z]{1,2}\s+[0-9]'
      then coalesce((select string_agg(' ' || m[1] || m[2], '')
        from regexp_matches(plain, '(?:^|\s)([a-z]{1,2})\s+([0-9]\S*)', 'g') as m), '')
      else '' end
    || case when plain ~ '[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]\s+[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]'
      then ' ' || regexp_replace(plain,
        '([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\s+(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])', '\1', 'g')
      else '' end
  from (select folded, translate(folded, '.''·•-', '') as plain from (select without_accents(same_fold(written)) as folded) as f) as t
$function$
;

grant execute on function search_text(text) to foyer_app;

-- The words of a typed text, in the form that search_text gives.

CREATE OR REPLACE FUNCTION public.search_words(written text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select coalesce(array_agg(word order by place), '{}') from (
    select translate(word, '.''·•-', '') as word, place
    from regexp_split_to_table(without_accents(same_fold(written)), '\s+') with ordinality as s(word, place)) as folded
  where word <> ''
$function$
;

grant execute on function search_words(text) to foyer_app;

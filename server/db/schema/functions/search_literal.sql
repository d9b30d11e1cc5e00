-- A word in which nothing is a wildcard of like.

CREATE OR REPLACE FUNCTION public.search_literal(word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_')
$function$
;

grant execute on function search_literal(text) to foyer_app;

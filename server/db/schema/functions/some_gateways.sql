-- Names of gateways as the beginning of a sentence, at most three of them.

CREATE OR REPLACE FUNCTION public.some_gateways(names text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when cardinality(names) = 1 then 'The gateway ' else 'The gateways ' end || case
    when cardinality(names) > 3 then array_to_string(names[1:3], ', ') || ' and ' || cardinality(names) - 3 || ' more'
    else regexp_replace(array_to_string(names, ', '), ', ([^,]*)$', ' and \1') end
$function$
;

grant execute on function some_gateways(text[]) to foyer_app;

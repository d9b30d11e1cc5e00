-- The patterns of like that a typed text means in a table, all of which must match: words, a telephone number or a MAC address in whatever
-- form. At most eight.

CREATE OR REPLACE FUNCTION public.search_patterns(entity text, needle text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  typed constant text := without_accents(same_fold(needle));
  is_hex constant boolean := entity in ('devices', 'gateways', 'radius_authorisations', 'radius_sessions');
  words text[];
  digits text;
begin
  if entity in ('accounts', 'guests', 'room_guests') and typed ~ '^[+(]*[0-9][0-9 ()./-]*$' then
    digits := regexp_replace(typed, '[^0-9]', '', 'g');
    if length(digits) >= 5 then
      digits := coalesce(nullif(ltrim(digits, '0'), ''), digits);
      return array['%' || case when typed ~ '^(\+|00)' and length(digits) >= 11 then right(digits, 9) else digits end || '%'];
    end if;
  end if;
  if is_hex and typed ~ '^[0-9a-f]{1,6}([:.-][0-9a-f]{0,6})+$' then
    return array['%' || translate(typed, ':.-', '') || '%'];
  end if;
  words := search_words(needle);
  if cardinality(words) > 1 and cardinality(array_remove(words, 'room')) > 0 then words := array_remove(words, 'room'); end if;
  -- More words than a name has narrow nothing further.
  return (select array_agg(case
      when is_hex and word ~ '^[0-9a-f]{1,6}(:[0-9a-f]{0,6})+$' then '%' || translate(word, ':', '') || '%'
      when entity = 'rooms' and word ~ '^0+[0-9]+$' then '%' || coalesce(nullif(ltrim(word, '0'), ''), '0') || '%'
      when length(word) < 3 then '% ' || search_literal(word) || '%'
      else '%' || search_literal(word) || '%' end)
    from unnest(words[:8]) as word);
end $function$
;

grant execute on function search_patterns(text,text) to foyer_app;

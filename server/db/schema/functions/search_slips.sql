-- The condition by which a typed text is found in spite of one typing mistake in each word of 5 to 30 letters: one wrong, missing, added,
-- or two exchanged. Null: no word is that long.

CREATE OR REPLACE FUNCTION public.search_slips(needle text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  words constant text[] := (search_words(needle))[:8];
  word text;
  conditions text[] := '{}';
  slips text[];
  has_long boolean := false;
begin
  foreach word in array words loop
    if length(word) between 5 and 30 and word !~ '[!-@\[-`{-~]' then
      has_long := true;
      select array_agg(distinct '% ' || slip || '%') into slips from generate_series(1, length(word)) as at
        cross join lateral (values
          (search_literal(left(word, at - 1)) || '_' || search_literal(substr(word, at + 1))),
          (search_literal(left(word, at - 1)) || search_literal(substr(word, at + 1))),
          (search_literal(left(word, at)) || '_' || search_literal(substr(word, at + 1))),
          (search_literal(left(word, at - 1) || substr(word, at + 1, 1) || substr(word, at, 1) || substr(word, at + 2)))) as s(slip);
      conditions := conditions || format('search like any (%L::text[])', slips);
    elsif word ~ '^[0-9a-f]{1,6}(:[0-9a-f]{0,6})+$' then
      -- A part of a MAC address, of which a row may have the digits alone.
      conditions := conditions || format('search like any (%L::text[])', array['%' || word || '%', '%' || translate(word, ':', '') || '%']);
    else
      conditions := conditions || format('search like %L', case when length(word) < 3 then '% ' else '%' end || search_literal(word) || '%');
    end if;
  end loop;
  return case when has_long then array_to_string(conditions, ' and ') end;
end $function$
;

grant execute on function search_slips(text) to foyer_app;

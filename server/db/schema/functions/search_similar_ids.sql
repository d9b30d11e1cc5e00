-- The ids of the accounts, guests or room guests of the caller's customer whose names resemble a typed text, the most similar first. Asked
-- by guest help where nothing is written so; runs as the owner, for the trigram index.

CREATE OR REPLACE FUNCTION public.search_similar_ids(entity text, needle text, max_rows integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
 SET "pg_trgm.word_similarity_threshold" TO '0.4'
AS $function$
declare
  customer constant integer := app_customer_id();
  words constant text[] := array(
    select word from unnest(search_words(needle)) as word where length(word) >= 3 limit 4);
  alike text;
  nearness text;
begin
  if entity not in ('accounts', 'guests', 'room_guests') then
    raise exception '% cannot be searched', entity using errcode = 'invalid_parameter_value';
  end if;
  if customer is null or cardinality(words) = 0 or max_rows < 1
    or not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  select string_agg(format('%L <%% search', word), ' and '), string_agg(format('word_similarity(%L, search)', word), ' + ')
    into alike, nearness from unnest(words) as word;
  return query execute format('select id::bigint from %I where customer_id = $1 and %s and %s order by %s desc, id desc limit $2',
    entity, (select s.present from searched_tables s where s.entity = search_similar_ids.entity), alike, nearness)
    using customer, max_rows;
end $function$
;

grant execute on function search_similar_ids(text,text,integer) to foyer_app;

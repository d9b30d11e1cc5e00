-- Search words: what is searched and what is looked for are folded as typed texts are (0390); words stand in any order, and
-- where nothing holds them, one slip in a long word is forgiven.

-- The words of a text without what stands between their letters: `O’Brien` → `obrien`, `A-12` → `a12`.
create function search_words(written text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(word order by place), '{}') from (
    select translate(word, '.''·•-', '') as word, place
    from regexp_split_to_table(without_accents(same_fold(written)), '\s+') with ordinality as s(word, place)) as folded
  where word <> ''
$$;

-- A blank before each word, by which one or two letters are looked for. Besides, a word that has something between its letters is
-- there in its parts (`a 12`), a letter or two before a number are there with it (`A 12` as `a12`), and names in Chinese,
-- Japanese and Korean also without the space that only some put into them.
create or replace function search_text(written text) returns text language sql immutable strict parallel safe as $$
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
$$;

-- As it stands in a pattern.
create function search_literal(word text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_')
$$;

-- What `search` of a table must be like, each of them, to hold a needle; null for one that holds nothing. One or two letters are
-- looked for at the beginning of words. A phone number may be typed with +, 00 or 0 in front, whichever is stored: what follows
-- the country is compared. Rooms are looked for without the zeros in front, and nothing by the word "room" beside others.
create function search_patterns(entity text, needle text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  typed constant text := without_accents(same_fold(needle));
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
  if entity in ('devices', 'gateways', 'radius_authorisations', 'radius_sessions')
    and typed ~ '^[0-9a-f]{1,6}([:.-][0-9a-f]{0,6})+$' then
    return array['%' || translate(typed, ':.-', '') || '%'];
  end if;
  words := search_words(needle);
  if cardinality(words) > 1 and cardinality(array_remove(words, 'room')) > 0 then words := array_remove(words, 'room'); end if;
  -- More words than a name has narrow nothing further.
  return (select array_agg(case
      when entity = 'rooms' and word ~ '^0+[0-9]+$' then '%' || coalesce(nullif(ltrim(word, '0'), ''), '0') || '%'
      when length(word) < 3 then '% ' || search_literal(word) || '%'
      else '%' || search_literal(word) || '%' end)
    from unnest(words[:8]) as word);
end $$;

-- The same with one slip in each long word: a letter that is another, missing, too many, or changed places with the next.
-- What has a digit or a sign in it is no plain word and is not guessed at. Null where no word is long.
create function search_slips(needle text) returns text language plpgsql immutable strict parallel safe as $$
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
    else
      conditions := conditions || format('search like %L', case when length(word) < 3 then '% ' else '%' end || search_literal(word) || '%');
    end if;
  end loop;
  return case when has_long then array_to_string(conditions, ' and ') end;
end $$;
grant execute on function search_words(text), search_literal(text), search_patterns(text, text), search_slips(text) to foyer_app;

-- Every `search` again, of the same texts.
do $$
declare
  searched record;
begin
  for searched in
    select c.relname as name, pg_get_expr(d.adbin, d.adrelid) as texts
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'search' and a.attgenerated = 's'
  loop
    execute format('alter table %I drop column search', searched.name);
    execute format('alter table %I add column search text not null generated always as (%s) stored', searched.name, searched.texts);
    perform make_searchable(searched.name::regclass);
  end loop;
end $$;

-- As in 0272, for several words.
create or replace function search_ids(entity text, needle text, max_rows integer, only_properties integer[] default null)
returns setof bigint language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  patterns constant text[] := search_patterns(entity, needle);
  -- Written out one by one, for an index serves no "all of these".
  matching constant text := (select string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern);
  slips text;
  -- Written out, so that no text of the caller becomes SQL: the tables, and how each is narrowed to properties.
  narrowing constant text := case
    when entity in ('accounts', 'devices', 'gateways', 'guests', 'imports', 'radius_authorisations', 'radius_sessions', 'rooms') then
      'property_id = any ($2)'
    when entity = 'properties' then 'id = any ($2)'
    when entity = 'room_guests' then
      'exists (select from rooms where rooms.customer_id = $1 and rooms.id = room_id and rooms.property_id = any ($2))'
    when entity in ('accounting_contacts', 'activity', 'api_keys', 'collections', 'groups', 'mac_categories', 'packages', 'portals',
      'portal_footers', 'property_interfaces', 'reports', 'roles', 'scheduled_reports', 'teams', 'users', 'voucher_batches') then 'true'
  end;
  narrowed text;
  rows_of_table real;
  plan_of_customer json;
  rows_of_customer real;
  seen integer := 1000;
  scanned integer;
  hits bigint[];
  whole boolean := false;
begin
  if narrowing is null then
    raise exception '% cannot be searched', entity using errcode = 'invalid_parameter_value';
  end if;
  if customer is null or matching is null or max_rows < 1 then return; end if;

  narrowed := format('%s and %s',
    case when entity in ('activity', 'imports', 'radius_authorisations', 'radius_sessions') then 'true' else 'deleted_at is null' end,
    case when only_properties is null then 'true' else narrowing end);

  for attempt in 1..2 loop
    execute format('select count(*), coalesce(array_agg(id) filter (where %s), ''{}'')
      from (select id, search from %I where customer_id = $1 and %s order by created_at desc, id desc limit $3) as newest',
      matching, entity, narrowed)
      into scanned, hits using customer, only_properties, seen;
    whole := scanned < seen;
    exit when whole and hits = '{}';
    if whole or cardinality(hits) >= max_rows then
      return query select unnest(hits[:max_rows]);
      return;
    end if;
    -- `cardinality(hits)` of `seen` rows match: in order, max_rows of them lie within about this many rows …
    seen := least(ceil(1.5 * max_rows * seen::numeric / greatest(cardinality(hits), 0.1)), 10000000)::integer;
    -- … and the index would bring at most this many, which then need sorting.
    select reltuples into rows_of_table from pg_class where oid = entity::regclass;
    exit when seen > greatest(rows_of_table, 0) * cardinality(hits) / scanned;
  end loop;

  -- The planner's own estimate, for counting would take longer than the search.
  execute format('explain (format json) select from %I where customer_id = %s', entity, customer) into plan_of_customer;
  rows_of_customer := plan_of_customer -> 0 -> 'Plan' ->> 'Plan Rows';
  select reltuples into rows_of_table from pg_class where oid = entity::regclass;
  -- With a tenth of all rows, others' that look like the word are at most ten times as many as one's own.
  narrowed := format('%s and %s',
    case when rows_of_customer * 10 >= rows_of_table then 'customer_id::bigint = $1::bigint' else 'customer_id = $1' end, narrowed);
  if not whole then
    return query execute format('with matches as materialized (select id, created_at from %I where %s and %s)
      select id::bigint from matches order by created_at desc, id desc limit $3', entity, narrowed, matching)
      using customer, only_properties, max_rows;
    if found then return; end if;
  end if;
  slips := search_slips(needle);
  if slips is null then return; end if;
  -- One fewer than were asked for: who asks for one more than a list takes may then go by these ids alone.
  return query execute format('with matches as materialized (select id, created_at from %I where %s and %s)
    select id::bigint from matches order by created_at desc, id desc limit $3', entity, narrowed, slips)
    using customer, only_properties, greatest(max_rows - 1, 1);
end $$;

-- As in 0255, of the words without what only makes them found.
do $$
declare
  before constant text := $sql$regexp_split_to_array(search_text(btrim(needle)), '\s+')$sql$;
  written constant text := pg_get_functiondef('search_similar_ids(text, text, integer)'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'search_similar_ids takes its words apart in another way'; end if;
  execute replace(written, before, 'search_words(needle)');
end $$;
drop function search_pattern(text, text);

-- What a batch was made for, to find it again.
alter table voucher_batches add column name text, add column note text;
alter table voucher_batches drop column search;
alter table voucher_batches add column search text not null generated always as
  (search_text(' ' || batch_number || ' ' || coalesce(name, '') || ' ' || coalesce(note, ''))) stored;
select make_searchable('voucher_batches');

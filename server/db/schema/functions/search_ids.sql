-- The ids of the rows of the caller's customer that a typed text finds in a table, the newest first, at most max_rows; of these properties
-- alone where they are given, and with a typing mistake where nothing is written so. Runs as the owner, since row security would keep the
-- trigram index from being used; only tables of searched_tables.

CREATE OR REPLACE FUNCTION public.search_ids(entity text, needle text, max_rows integer, only_properties integer[] DEFAULT NULL::integer[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  customer constant integer := app_customer_id();
  patterns constant text[] := search_patterns(entity, needle);
  -- Written out one by one, for an index serves no "all of these".
  matching constant text := (select string_agg(format('search like %L', pattern), ' and ') from unnest(patterns) as pattern);
  slips text;
  searched searched_tables;
  narrowed text;
  rows_of_table real;
  plan_of_customer json;
  rows_of_customer real;
  seen integer := 1000;
  scanned integer;
  hits bigint[];
  whole boolean := false;
begin
  select * into searched from searched_tables as s where s.entity = search_ids.entity;
  if searched is null then
    raise exception '% cannot be searched', entity using errcode = 'invalid_parameter_value';
  end if;
  if customer is null or matching is null or max_rows < 1 then return; end if;

  narrowed := format('%s and %s', searched.present, case when only_properties is null then 'true' else searched.narrowing end);

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
end $function$
;

grant execute on function search_ids(text,text,integer,integer[]) to foyer_app;

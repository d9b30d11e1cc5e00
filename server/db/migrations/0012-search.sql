-- Search: which rows of a list hold a word, found without walking the table.
--
-- Why a function of the owner: `like` is not leakproof, so under row-level security PostgreSQL checks the policy first and
-- never uses the trigram index. This function applies the customer itself, from the same setting as the policies, and
-- touches only the tables named in it.
--
-- Two ways lead to the newest matches. The trigram index finds a rare word at once but collects every row of a common one;
-- reading the newest rows in order finds a common word at once but a rare one last. So it looks at the newest 1,000 rows:
-- they either answer, or tell how common the word is, and with that which way is shorter. A word that is common only among
-- old rows misleads this and costs a walk over its matches.
-- Measured on PostgreSQL 15, 100,000 accounts of one customer beside 200,000 of others, against 100 accounts:
-- see docs/decisions/010-search.md.

-- Ids, newest first, at most max_rows, of the undeleted rows whose `search` holds the needle, in any case. A needle of one
-- or two characters is looked for at the beginning of words. only_properties narrows tables that hang on a property.
-- No setting, no rows; an empty needle, no rows; another table: 22023.
create function search_ids(entity text, needle text, max_rows integer, only_properties integer[] default null)
returns setof bigint language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  word constant text := replace(replace(replace(lower(btrim(needle)), '\', '\\'), '%', '\%'), '_', '\_');
  pattern constant text := case when length(btrim(needle)) < 3 then '% ' else '%' end || word || '%';
  -- Written out, so that no text of the caller becomes SQL: the tables, and how each is narrowed to properties.
  narrowing constant text := case
    when entity in ('accounts', 'devices', 'gateways', 'guests', 'rooms') then 'property_id = any ($3)'
    when entity = 'properties' then 'id = any ($3)'
    when entity = 'room_guests' then
      'exists (select from rooms where rooms.customer_id = $1 and rooms.id = room_id and rooms.property_id = any ($3))'
    when entity in ('accounting_contacts', 'activity', 'api_keys', 'collections', 'groups', 'mac_categories', 'packages', 'portals',
      'property_interfaces', 'reports', 'roles', 'scheduled_reports', 'teams', 'users', 'voucher_batches') then 'true'
  end;
  rows_of_table real;
  source text;
  seen integer := 1000;
  scanned integer;
  hits bigint[];
begin
  if narrowing is null then
    raise exception '% cannot be searched', entity using errcode = 'invalid_parameter_value';
  end if;
  if customer is null or word = '' or max_rows < 1 then return; end if;

  source := format('from %I as t where customer_id = $1 and %s and %s', entity,
    case entity when 'activity' then 'true' else 'deleted_at is null' end,
    case when only_properties is null then 'true' else narrowing end);

  for attempt in 1..2 loop
    execute format('select count(*), coalesce(array_agg(id) filter (where search like $2), ''{}'')
      from (select id, search %s order by created_at desc, id desc limit $4) as newest', source)
      into scanned, hits using customer, pattern, only_properties, seen;
    if scanned < seen or cardinality(hits) >= max_rows then
      return query select unnest(hits[:max_rows]);
      return;
    end if;
    -- `cardinality(hits)` of `seen` rows match: in order, max_rows of them lie within about this many rows …
    seen := least(ceil(1.5 * max_rows * seen::numeric / greatest(cardinality(hits), 0.1)), 10000000)::integer;
    -- … and the index would bring at most this many, which then need sorting.
    select reltuples into rows_of_table from pg_class where oid = entity::regclass;
    exit when seen > greatest(rows_of_table, 0) * cardinality(hits) / scanned;
  end loop;

  return query execute format('with matches as materialized (select id, created_at %s and search like $2)
    select id::bigint from matches order by created_at desc, id desc limit $4', source)
    using customer, pattern, only_properties, max_rows;
end $$;
grant execute on function search_ids(text, text, integer, integer[]) to foyer_app;

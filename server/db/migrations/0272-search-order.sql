-- Search order: who has most rows of a table is searched by the word first. An index on several columns looks at them in their
-- order. With the customer first, a search compares all rows of the customer with those that look like the word, which takes the
-- longer the more rows the customer has: 79 ms for half a MAC among ten million, of which the word alone takes 1.5. With the word
-- first it goes through everybody's rows that look like it, which a small customer beside a large one would feel. So the customer
-- stands on either side of the word, and is named in the one way or the other.

create or replace function make_searchable(searched_table regclass) returns void language plpgsql as $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    execute format('create index on %s using gin (customer_id, search gin_trgm_ops, (customer_id::bigint))
      with (gin_pending_list_limit = 1024)', searched_table);
  end if;
end $$;

do $$
declare
  searched record;
begin
  for searched in
    select i.indrelid::regclass as name, i.indexrelid::regclass as index_name
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam and m.amname = 'gin'
    join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'search' and a.attnum = i.indkey[1]
    where c.relnamespace = 'public'::regnamespace
  loop
    execute format('drop index %s', searched.index_name);
    perform make_searchable(searched.name);
  end loop;
end $$;

-- As in 0012, with the tables of 0110, 0120 and 0210, and the two ways into the index. Volatile, for others may not ask the planner.
create or replace function search_ids(entity text, needle text, max_rows integer, only_properties integer[] default null)
returns setof bigint language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  pattern constant text := search_pattern(entity, needle);
  -- Written out, so that no text of the caller becomes SQL: the tables, and how each is narrowed to properties.
  narrowing constant text := case
    when entity in ('accounts', 'devices', 'gateways', 'guests', 'imports', 'radius_authorisations', 'radius_sessions', 'rooms') then
      'property_id = any ($3)'
    when entity = 'properties' then 'id = any ($3)'
    when entity = 'room_guests' then
      'exists (select from rooms where rooms.customer_id = $1 and rooms.id = room_id and rooms.property_id = any ($3))'
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
begin
  if narrowing is null then
    raise exception '% cannot be searched', entity using errcode = 'invalid_parameter_value';
  end if;
  if customer is null or pattern is null or max_rows < 1 then return; end if;

  narrowed := format('%s and %s',
    case when entity in ('activity', 'imports', 'radius_authorisations', 'radius_sessions') then 'true' else 'deleted_at is null' end,
    case when only_properties is null then 'true' else narrowing end);

  for attempt in 1..2 loop
    execute format('select count(*), coalesce(array_agg(id) filter (where search like $2), ''{}'')
      from (select id, search from %I where customer_id = $1 and %s order by created_at desc, id desc limit $4) as newest',
      entity, narrowed)
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

  -- The planner's own estimate, for counting would take longer than the search.
  execute format('explain (format json) select from %I where customer_id = %s', entity, customer) into plan_of_customer;
  rows_of_customer := plan_of_customer -> 0 -> 'Plan' ->> 'Plan Rows';
  return query execute format('with matches as materialized (select id, created_at from %I where %s and %s and search like $2)
    select id::bigint from matches order by created_at desc, id desc limit $4', entity,
    -- With a tenth of all rows, others' that look like the word are at most ten times as many as one's own.
    case when rows_of_customer * 10 >= rows_of_table then 'customer_id::bigint = $1::bigint' else 'customer_id = $1' end,
    narrowed)
    using customer, pattern, only_properties, max_rows;
end $$;

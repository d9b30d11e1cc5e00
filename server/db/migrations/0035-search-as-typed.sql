-- Search finds what is typed: without accents, a phone number in any spacing, a MAC in any notation, a guest by the room.
--
-- What is stored and what is looked for are made alike by two functions, so that the trigram index serves both.

-- Lower case, without accents. Letters that Unicode does not take apart are spelled out.
create function search_text(written text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(written) = length(written) then lower(written)
    else replace(replace(replace(replace(translate(
      regexp_replace(lower(normalize(written, nfd)), '[\u0300-\u036f]', '', 'g'),
      'øłđħıŧð', 'oldhitd'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end
$$;
grant execute on function search_text(text) to foyer_app;

-- The digits of a text that has something between them, as a word of its own.
create function search_digits(written text) returns text language sql immutable parallel safe as $$
  select case when written ~ '[0-9][^0-9]+[0-9]|^[+0]' then ' ' || regexp_replace(written, '[^0-9]', '', 'g') else '' end
$$;
grant execute on function search_digits(text) to foyer_app;

-- The same without what people put between the digits of a MAC.
create function search_hex(written text) returns text language sql immutable parallel safe as $$
  select case when written ~ '[0-9A-Fa-f][:.-][0-9A-Fa-f]' then ' ' || translate(written, ':.-', '') else '' end
$$;
grant execute on function search_hex(text) to foyer_app;

-- What `search` of a table must be like to hold a needle; null for one that holds nothing. One or two letters are looked
-- for at the beginning of words. A phone number may be typed with +, 00 or 0 in front, whichever is stored: what follows
-- the country is compared.
create function search_pattern(entity text, needle text) returns text language plpgsql immutable strict parallel safe as $$
declare
  word constant text := search_text(btrim(needle));
  digits text;
begin
  if word = '' then return null; end if;
  if entity in ('accounts', 'guests', 'room_guests') and word ~ '^[+(]*[0-9][0-9 ()./-]*$' then
    digits := regexp_replace(word, '[^0-9]', '', 'g');
    if length(digits) >= 5 then
      digits := coalesce(nullif(ltrim(digits, '0'), ''), digits);
      return '%' || case when word ~ '^(\+|00)' and length(digits) >= 11 then right(digits, 9) else digits end || '%';
    end if;
  end if;
  if entity in ('devices', 'gateways') and word ~ '^[0-9a-f]{1,6}([:.-][0-9a-f]{0,6})+$' then
    return '%' || translate(word, ':.-', '') || '%';
  end if;
  return case when length(word) < 3 then '% ' else '%' end
    || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%';
end $$;
grant execute on function search_pattern(text, text) to foyer_app;

-- The number of the room, kept beside who lives in it, for a row is searched by what stands in it.
alter table accounts add column room_number text;
alter table room_guests add column room_number text;
update accounts as t set room_number = r.number from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id;
update room_guests as t set room_number = r.number from rooms as r where r.customer_id = t.customer_id and r.id = t.room_id;

create function keep_room_number() returns trigger language plpgsql as $$
begin
  new.room_number := (select r.number from rooms as r where r.customer_id = new.customer_id and r.id = new.room_id);
  return new;
end $$;
create trigger keep_room_number before insert on accounts
  for each row when (new.room_id is not null) execute function keep_room_number();
create trigger change_room_number before update of room_id on accounts
  for each row when (new.room_id is distinct from old.room_id) execute function keep_room_number();
create trigger keep_room_number before insert or update of room_id on room_guests
  for each row execute function keep_room_number();

create function pass_room_number_on() returns trigger language plpgsql as $$
begin
  update accounts set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  update room_guests set room_number = new.number where customer_id = new.customer_id and room_id = new.id;
  return null;
end $$;
create trigger pass_room_number_on after update of number on rooms
  for each row when (new.number is distinct from old.number) execute function pass_room_number_on();

-- Every `search` again, of the same texts; those of guests and machines with more in them.
do $$
declare
  searched record;
begin
  for searched in
    select c.relname as name, pg_get_expr(d.adbin, d.adrelid) as texts
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'search' and a.attgenerated = 's'
  loop
    execute format('alter table %I drop column search', searched.name);
    execute format('alter table %I add column search text not null generated always as (search_text(%s)) stored', searched.name,
      searched.texts || case
        when searched.name = 'accounts' then
          $sql$ || ' ' || coalesce(room_number, '') || search_digits(mobile_number) || search_digits(username) || search_digits(name)$sql$
        when searched.name = 'room_guests' then
          $sql$ || ' ' || coalesce(room_number, '') || search_digits(mobile_number) || search_digits(external_reference)$sql$
        when searched.name = 'guests' then $sql$ || search_digits(mobile_number)$sql$
        when searched.name = 'devices' then $sql$ || search_hex(name) || search_hex(external_reference)$sql$
        when searched.name = 'gateways' then $sql$ || search_hex(name) || search_hex(mac_address::text)$sql$
        else '' end);
    perform make_searchable(searched.name::regclass);
  end loop;
end $$;

-- As in 0012, with the pattern made like the text.
create or replace function search_ids(entity text, needle text, max_rows integer, only_properties integer[] default null)
returns setof bigint language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  pattern constant text := search_pattern(entity, needle);
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
  if customer is null or pattern is null or max_rows < 1 then return; end if;

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

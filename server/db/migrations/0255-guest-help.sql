-- Guest help: why somebody cannot get online, asked at the desk while they stand there.

-- wrong_property: what was typed is good at another property of the same customer. let_again: the desk lets a device that
-- was refused for guessing try anew. Of the words that are allowed, these come to whatever there is.
do $$
declare
  before constant text := $sql$'unknown_user'::text$sql$;
  written constant text := (select pg_get_constraintdef(oid) from pg_constraint
    where conname = 'radius_authorisations_reason' and conrelid = 'radius_authorisations'::regclass);
begin
  if position(before in written) = 0 then
    raise exception 'the reasons of attempts are written in another way';
  end if;
  alter table radius_authorisations drop constraint radius_authorisations_reason;
  execute 'alter table radius_authorisations add constraint radius_authorisations_reason '
    || replace(written, before, before || $sql$, 'wrong_property'::text, 'let_again'::text$sql$);
end $$;

-- The last refusals of a holder. Whoever is let in writes no line of these.
create index on radius_authorisations (customer_id, account_id, id desc) where not accepted and account_id is not null;
create index on radius_authorisations (customer_id, voucher_id, id desc) where not accepted and voucher_id is not null;
create index on radius_authorisations (customer_id, device_id, id desc) where not accepted and device_id is not null;
create index on radius_authorisations (customer_id, guest_id, id desc) where not accepted and guest_id is not null;

-- A slip that is half torn off, or of which one may see no more, is found by its last four symbols.
create index on vouchers (customer_id, right(code, 4));

-- Whether somebody else's property of the customer knows this user name, or a voucher has this code: it was refused here as
-- what nobody knows. Answers no more than that, so that a property's people learn nothing of the other one's guests.
create function signs_in_elsewhere(username text, code text, here integer) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from vouchers v
      join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id and b.deleted_at is null
      where v.customer_id = app_customer_id() and v.code = signs_in_elsewhere.code)
    or exists (select from properties p
      join accounts a on a.customer_id = p.customer_id and a.property_id = p.id and a.deleted_at is null
        and lower(btrim(a.username)) = lower(btrim(signs_in_elsewhere.username))
      where p.customer_id = app_customer_id() and p.id <> here and p.deleted_at is null)
$$;
grant execute on function signs_in_elsewhere(text, text, integer) to foyer_app;

-- Ids of those whose name is nearly what was typed, the nearest first: each word of three letters or more resembles some
-- part of it. Of the owner, for the reason that search_ids is. Without pg_trgm nothing resembles anything.
create function search_similar_ids(entity text, needle text, max_rows integer) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set pg_trgm.word_similarity_threshold = 0.4 as $$
declare
  customer constant integer := app_customer_id();
  words constant text[] := array(
    select word from unnest(regexp_split_to_array(search_text(btrim(needle)), '\s+')) as word where length(word) >= 3 limit 4);
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
  return query execute format('select id::bigint from %I where customer_id = $1 and deleted_at is null and %s
    order by %s desc, id desc limit $2', entity, alike, nearness) using customer, max_rows;
end $$;
grant execute on function search_similar_ids(text, text, integer) to foyer_app;

-- What a device of the caller's customer has tried at portals counts no more.
create function customer_forgive(bucket text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select door_forgive('customer ' || app_customer_id() || ' ' || bucket)
$$;
grant execute on function customer_forgive(text) to foyer_app;

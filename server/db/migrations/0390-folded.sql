-- Folded: what people type is compared in two forms. Their twins are in contract/folded.ts, and a test holds them together.

-- Nothing that somebody can see is dropped. What is plain ASCII, as nearly everything is, takes the short way.
create function same_fold(typed text) returns text language sql immutable strict parallel safe as $$
  select case
    when octet_length(typed) = length(typed) then btrim(translate(lower(typed collate "C"), '`', ''''), E' \t\n\x0b\x0c\r') collate "default"
    else regexp_replace(
      translate(
        normalize(lower(normalize(translate(
          regexp_replace(typed, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f'
            '\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'),
          U&'\00B4', ''''), nfkc) collate "und-x-icu"), nfkc),
        U&'\03C2\058A\05BE\2010\2011\2012\2013\2014\2015\2043\2212\2E3A\2E3B`\02B9\02BB\02BC\02BD\05F3\2018\2019\201B\2032\2035\A78C',
        U&'\03C3' || repeat('-', 12) || repeat('''', 12)),
      '^[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+|[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+$', '', 'g') collate "default" end
$$;

-- Without accents; letters that Unicode does not take apart are spelled out.
create function without_accents(folded text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(folded) = length(folded) then folded
    else normalize(
      replace(replace(replace(replace(translate(
        regexp_replace(normalize(folded, nfkd), '[\u0300-\u036f]', '', 'g'),
        'øłđħıŧð', 'oldhitd'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfkc) end
$$;

-- For codes and room numbers: also without spaces, dashes, dots, apostrophes, the word "room" and zeros in front.
create function find_fold(typed text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(
    regexp_replace(
      regexp_replace(without_accents(same_fold(typed)), '(^|[^a-z0-9])room(?![a-z])', '\1', 'g'),
      '[ \t\n\v\f\r\u0085\u1680\u2028\u2029.''\u00b7\u2022\u3002\u30fb\u30fc-]', '', 'g'),
    '^0+(?=.)', '')
$$;
grant execute on function same_fold(text), without_accents(text), find_fold(text) to foyer_app;

-- A user name is looked for in the form in which it is the same, whatever it was typed with. Two that were told apart so far
-- and are the same now stay: whoever types one as it is written means that one.
alter table accounts drop column username_key;
alter table accounts add column username_key text generated always as (same_fold(username)) stored;
create index on accounts (customer_id, property_id, username_key) where deleted_at is null and username_key is not null;

-- A room is meant by its number as it is written, else where one room of the property fits what was typed.
alter table rooms add column number_key text not null generated always as (find_fold(number)) stored;
create index on rooms (customer_id, property_id, number_key) where deleted_at is null;

-- As in 0255, with the folded user name.
create or replace function signs_in_elsewhere(username text, code text, here integer) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from vouchers v
      join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id and b.deleted_at is null
      where v.customer_id = app_customer_id() and v.code = signs_in_elsewhere.code)
    or exists (select from properties p
      join accounts a on a.customer_id = p.customer_id and a.property_id = p.id and a.deleted_at is null
        and a.username_key = same_fold(signs_in_elsewhere.username)
      where p.customer_id = app_customer_id() and p.id <> here and p.deleted_at is null)
$$;

-- Codes of vouchers: found by a fingerprint, printed from a sealed text, and only their last four characters stand as they are.
create table voucher_codes (
  id bigint generated always as identity,
  customer_id integer not null,
  voucher_id bigint not null,
  fingerprint bytea not null unique,
  sealed_code bytea not null,
  last_four text collate "C" not null,
  primary key (customer_id, id),
  unique (customer_id, voucher_id),
  foreign key (customer_id, voucher_id) references vouchers (customer_id, id) on delete cascade
);
select make_tenant_table('voucher_codes');
create index on voucher_codes (customer_id, last_four);

comment on table voucher_codes is 'The code of each voucher, sealed. A code is never used again, not even after its batch was deleted.';
comment on column voucher_codes.fingerprint is 'HMAC of the code, under the key of the installation that is drawn once.';

-- Where no node of a release before is at work, it is empty.
alter table vouchers alter column code drop not null;
-- The id of a voucher is drawn before its row is written, so that a code that is taken brings no row.
grant usage on sequence vouchers_id_seq to foyer_app;

-- As `signs_in_elsewhere`, by the fingerprint of the code.
create function signs_in_at_others(username text, code text, fingerprint bytea, here integer) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from vouchers v
      join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id and b.deleted_at is null
      where v.customer_id = app_customer_id() and v.id = coalesce(
        (select k.voucher_id from voucher_codes k where k.fingerprint = signs_in_at_others.fingerprint),
        (select o.id from vouchers o where o.code = signs_in_at_others.code)))
    or exists (select from properties p
      join accounts a on a.customer_id = p.customer_id and a.property_id = p.id and a.deleted_at is null
        and a.username_key = same_fold(signs_in_at_others.username)
      where p.customer_id = app_customer_id() and p.id <> here and p.deleted_at is null)
$$;
revoke execute on function signs_in_at_others(text, text, bytea, integer) from public;
grant execute on function signs_in_at_others(text, text, bytea, integer) to foyer_app;

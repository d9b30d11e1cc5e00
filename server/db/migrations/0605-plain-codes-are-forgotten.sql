-- What seals the codes that stand as they are printed, and then leaves them out.

-- Who has codes that are not sealed, or that stand beside their sealed text.
create function door_customers_of_codes(are_plain boolean) returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.id from customers c where are_plain and exists (select from vouchers v where v.customer_id = c.id)
  union
  select v.customer_id from vouchers v where not are_plain and v.code is not null
$$;
revoke execute on function door_customers_of_codes(boolean) from public;

create function forget_plain_codes(ids bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
begin
  -- Sessions before vouchers, each in the order of their ids, as accounting locks them.
  perform from radius_sessions s where s.customer_id = customer and s.voucher_id = any (ids) order by s.id for no key update;
  update radius_sessions s set
    identifier = case when s.identifier is not null then '••••-••••-' || k.last_four end,
    username = case when strpos(upper(regexp_replace(s.username, '[^[:alnum:]]', '', 'g')), v.code) > 0
      -- A small letter has a mark of its own, as in server/vouchers/sign-in-names.ts.
      then regexp_replace(regexp_replace(s.username, '[a-z](?=([^[:alnum:]]*[[:alnum:]]){4})', '·', 'g'),
        '[[:alnum:]](?=([^[:alnum:]]*[[:alnum:]]){4})', '•', 'g') else s.username end
  from vouchers v join voucher_codes k on k.customer_id = v.customer_id and k.voucher_id = v.id
  where v.customer_id = customer and v.id = any (ids) and s.customer_id = customer and s.voucher_id = v.id;
  -- Nodes of the release before call sessions in the log by the code.
  update activity a set object_name = a.object_id::text
  from radius_sessions s
  where s.customer_id = customer and s.voucher_id = any (ids)
    and a.customer_id = customer and a.object_type = 'radius_sessions' and a.object_id = s.id;
  update radius_authorisations a set identifier = '••••-••••-' || k.last_four
  from voucher_codes k
  where k.customer_id = customer and k.voucher_id = any (ids) and a.customer_id = customer and a.voucher_id = k.voucher_id
    and a.identifier is not null;
  perform from vouchers v where v.customer_id = customer and v.id = any (ids) order by v.id for update;
  update vouchers v set code = null
  where v.customer_id = customer and v.id = any (ids)
    and exists (select from voucher_codes k where k.customer_id = customer and k.voucher_id = v.id);
end $$;
revoke execute on function forget_plain_codes(bigint[]) from public;
grant execute on function forget_plain_codes(bigint[]) to foyer_app;

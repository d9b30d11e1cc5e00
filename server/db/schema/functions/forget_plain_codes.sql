-- Clears the plain codes of vouchers of the caller's customer that are sealed, and where sessions, attempts and the log repeat them, but
-- for the last four characters. Called by the job that seals codes; sessions are locked before vouchers, as accounting locks them.

CREATE OR REPLACE FUNCTION public.forget_plain_codes(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
end $function$
;

grant execute on function forget_plain_codes(bigint[]) to foyer_app;

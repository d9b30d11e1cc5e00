-- Whether a username or voucher code is good at another property of the caller's customer, so that a refusal may say so to the desk.

CREATE OR REPLACE FUNCTION public.signs_in_at_others(username text, code text, fingerprint bytea, here integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from vouchers v
      join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id and b.deleted_at is null
      where v.customer_id = app_customer_id() and v.id = coalesce(
        (select k.voucher_id from voucher_codes k where k.fingerprint = signs_in_at_others.fingerprint),
        (select o.id from vouchers o where o.code = signs_in_at_others.code)))
    or exists (select from properties p
      join accounts a on a.customer_id = p.customer_id and a.property_id = p.id and a.deleted_at is null
        and a.username_key = same_fold(signs_in_at_others.username)
      where p.customer_id = app_customer_id() and p.id <> here and p.deleted_at is null)
$function$
;

grant execute on function signs_in_at_others(text,text,bytea,integer) to foyer_app;

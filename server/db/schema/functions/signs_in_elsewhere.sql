-- As signs_in_at_others, by plain codes. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.signs_in_elsewhere(username text, code text, here integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from vouchers v
      join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id and b.deleted_at is null
      where v.customer_id = app_customer_id() and v.code = signs_in_elsewhere.code)
    or exists (select from properties p
      join accounts a on a.customer_id = p.customer_id and a.property_id = p.id and a.deleted_at is null
        and a.username_key = same_fold(signs_in_elsewhere.username)
      where p.customer_id = app_customer_id() and p.id <> here and p.deleted_at is null)
$function$
;

grant execute on function signs_in_elsewhere(text,text,integer) to foyer_app;

-- How many codes of a batch have neither been used nor taken back. Asked by lists of batches, the dashboard, and the state of a property.

CREATE OR REPLACE FUNCTION public.codes_left(batch voucher_batches)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select batch.quantity - batch.redeemed - (select count(*)::integer from vouchers v where v.customer_id = batch.customer_id
    and v.voucher_batch_id = batch.id and v.taken_back_at is not null and v.redeemed_at is null)
$function$
;

grant execute on function codes_left(voucher_batches) to foyer_app;

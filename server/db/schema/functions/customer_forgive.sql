-- Empties a bucket of the caller's customer: guests whom the desk lets try again. As door_forgive, but no other customer's bucket can be
-- named.

CREATE OR REPLACE FUNCTION public.customer_forgive(bucket text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select door_forgive('customer ' || app_customer_id() || ' ' || bucket)
$function$
;

grant execute on function customer_forgive(text) to foyer_app;

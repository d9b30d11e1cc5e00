-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

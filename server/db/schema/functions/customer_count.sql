-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.customer_count(bucket text, hits_max integer, window_s integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select door_count('customer ' || app_customer_id() || ' ' || bucket, hits_max, window_s)
$function$
;

grant execute on function customer_count(text,integer,integer) to foyer_app;

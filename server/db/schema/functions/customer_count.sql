-- Counts a try in a bucket of the caller's customer, of which hits_max are allowed in window_s seconds. Returns the seconds to wait; 0: go
-- on. As door_count, but no other customer's bucket can be named.

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

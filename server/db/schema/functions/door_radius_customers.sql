-- Customers with somebody online, trials apart. Asked by the job that ends sessions of which nothing is heard.

CREATE OR REPLACE FUNCTION public.door_radius_customers()
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct s.customer_id from radius_sessions s where s.stopped_at is null and s.trial_id is null
$function$;

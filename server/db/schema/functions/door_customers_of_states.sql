-- Customers with active properties, whose states are reckoned each minute.

CREATE OR REPLACE FUNCTION public.door_customers_of_states()
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct p.customer_id from properties p where p.status = 'active' and p.deleted_at is null order by 1
$function$;

-- The customer whose sample this one is; null: it is none.

CREATE OR REPLACE FUNCTION public.door_sample_of(customer integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select c.sample_of from customers c where c.id = customer
$function$;

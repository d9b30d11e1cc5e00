-- Whether a customer is a sample: no work is planned in its name, and its approved billing runs may be deleted. Asked by triggers.

CREATE OR REPLACE FUNCTION public.is_sample(customer integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from customers c where c.id = customer and c.sample_of is not null)
$function$
;

grant execute on function is_sample(integer) to foyer_app;

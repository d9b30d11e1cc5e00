-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.property_currency(property properties)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(property.currency, (select c.currency from countries c where c.id = property.country_id),
    (select c.currency from customers c where c.id = property.customer_id))
$function$
;

grant execute on function property_currency(properties) to foyer_app;

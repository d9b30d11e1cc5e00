-- The currency of a property's bills: its own, else that of its country, else its customer's.

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

-- Customers with nights that are over and not written. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_customers_of_nights()
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct p.customer_id from properties p
    left join night_ledgers l on l.customer_id = p.customer_id and l.property_id = p.id
  where case when l.id is null then not p.draft and p.deleted_at is null
    else day_begins(l.kept_until + 2, p.time_zone) <= least(app_now(), p.deleted_at) end
$function$;

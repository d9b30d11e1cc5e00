-- Customers with gateways that may have just fallen silent or are heard again. Asked between two minutes, so that a state turns within
-- seconds; those that have been quiet for longer wait for the minute.

CREATE OR REPLACE FUNCTION public.door_customers_of_turned_gateways()
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- Of those that have been quiet for longer it is known what they are: they are looked at each minute, with all else.
  select distinct g.customer_id from gateways g where g.active and g.deleted_at is null and (
    g.silent_since is null and (g.last_seen_at between app_now() - interval '17 minutes' and app_now() - interval '15 minutes'
      or g.redirected_at between app_now() - interval '17 minutes' and app_now() - interval '15 minutes')
    or g.silent_since is not null and g.last_seen_at > g.silent_since) order by 1
$function$;

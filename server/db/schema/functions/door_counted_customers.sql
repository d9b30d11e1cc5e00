-- Customers with guests online or gateways heard lately. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_counted_customers()
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct s.customer_id from radius_sessions s where s.stopped_at is null and s.trial_id is null
  union select distinct g.customer_id from gateways g
    where g.last_seen_at > now() - interval '90 minutes' and g.deleted_at is null
$function$;

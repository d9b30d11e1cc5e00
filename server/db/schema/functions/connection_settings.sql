-- The sealed settings of a connection of the caller's customer, by key. The app's login may write them and not read them; asked when the
-- connection is used, and opened by the node.

CREATE OR REPLACE FUNCTION public.connection_settings(connection integer)
 RETURNS TABLE(key text, sealed_value bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.key, s.sealed_value from connection_secrets s
  where s.customer_id = app_customer_id() and s.connection_id = connection
$function$
;

grant execute on function connection_settings(integer) to foyer_app;

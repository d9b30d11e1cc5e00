-- The sealed tokens that a consent has brought to a connection of the caller's customer. Asked when the connection is used, and opened by
-- the node.

CREATE OR REPLACE FUNCTION public.connection_tokens(connection integer)
 RETURNS TABLE(sealed_access_token bytea, sealed_refresh_token bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select t.sealed_access_token, t.sealed_refresh_token from integration_tokens t
  where t.customer_id = app_customer_id() and t.connection_id = connection
$function$
;

grant execute on function connection_tokens(integer) to foyer_app;

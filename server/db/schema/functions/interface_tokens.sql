-- The sealed tokens that a consent has brought to a property interface of the caller's customer. Asked when its system is called.

CREATE OR REPLACE FUNCTION public.interface_tokens(interface_id integer)
 RETURNS TABLE(sealed_access_token bytea, sealed_refresh_token bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select t.sealed_access_token, t.sealed_refresh_token from integration_tokens t
  where t.customer_id = app_customer_id() and t.property_interface_id = interface_id
$function$
;

grant execute on function interface_tokens(integer) to foyer_app;

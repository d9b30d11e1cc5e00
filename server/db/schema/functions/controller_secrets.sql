-- The sealed settings of a gateway's controller by key, and its password without a key. Of the caller's customer alone; asked when a
-- controller is called.

CREATE OR REPLACE FUNCTION public.controller_secrets(of_gateway integer)
 RETURNS TABLE(key text, sealed_value bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.key, s.sealed_value from gateway_setting_secrets s
  where s.customer_id = app_customer_id() and s.gateway_id = of_gateway
  union all
  select null, s.sealed_password from gateway_secrets s
  where s.customer_id = app_customer_id() and s.gateway_id = of_gateway and s.sealed_password is not null
$function$
;

grant execute on function controller_secrets(integer) to foyer_app;

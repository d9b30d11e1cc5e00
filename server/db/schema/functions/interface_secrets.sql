-- The sealed settings of a property interface of the caller's customer, by key. Asked when its system is called.

CREATE OR REPLACE FUNCTION public.interface_secrets(interface_id integer)
 RETURNS TABLE(key text, sealed_value bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.key, s.sealed_value from property_interface_setting_secrets s
  where s.customer_id = app_customer_id() and s.property_interface_id = interface_id
$function$
;

grant execute on function interface_secrets(integer) to foyer_app;

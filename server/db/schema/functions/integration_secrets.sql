-- The sealed tokens of an accounting integration, or of a marketing integration by its negative id, of the caller's customer. Asked when
-- the provider is called.

CREATE OR REPLACE FUNCTION public.integration_secrets(connection integer)
 RETURNS TABLE(sealed_access_token bytea, sealed_refresh_token bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select t.sealed_access_token, t.sealed_refresh_token from integration_tokens t
  where t.customer_id = app_customer_id() and coalesce(t.accounting_integration_id, -t.marketing_integration_id) = connection
$function$
;

grant execute on function integration_secrets(integer) to foyer_app;

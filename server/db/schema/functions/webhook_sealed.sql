-- The sealed secrets that a webhook of the caller's customer signs with, the former one while it is good. Only nodes of the release before
-- call it.

CREATE OR REPLACE FUNCTION public.webhook_sealed(webhook integer)
 RETURNS TABLE(sealed_secret bytea, sealed_former bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select s.sealed_secret, case when s.former_until > now() then s.sealed_former end from webhook_secrets s
  where s.customer_id = app_customer_id() and s.webhook_id = webhook
$function$
;

grant execute on function webhook_sealed(integer) to foyer_app;

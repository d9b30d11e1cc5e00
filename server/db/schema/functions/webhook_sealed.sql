-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

-- Takes a consent that begin_connection has begun, once, for the user who began it: its provider, sealed PKCE verifier, and the integration
-- that is connected anew. No row: unknown, used or over.

CREATE OR REPLACE FUNCTION public.finish_connection(state bytea, person integer, what text)
 RETURNS TABLE(integration_type text, sealed_code_verifier bytea, integration_id integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update oauth_states o set used_at = now()
  where o.state_hash = state and o.customer_id = app_customer_id() and o.user_id = person and o.kind = what
    and o.used_at is null and o.expires_at > now()
  returning o.integration_type, o.sealed_code_verifier, o.integration_id
$function$
;

grant execute on function finish_connection(bytea,integer,text) to foyer_app;

-- The login that a link to confirm an address belongs to. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_confirmed_login(token bytea)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select login_id from address_confirmations where token_hash = token and expires_at > now()
$function$;

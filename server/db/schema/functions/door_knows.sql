-- Whether a login has been used from this network in the last 90 days. Guesses from elsewhere lock out nobody who is known.

CREATE OR REPLACE FUNCTION public.door_knows(address text, from_network text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from logins l join login_addresses a on a.login_id = l.id
    where l.email = lower(address) and a.network = from_network)
$function$;

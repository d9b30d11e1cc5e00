-- Whether a login has been used in the browser with this mark; as door_knows, wherever it is.

CREATE OR REPLACE FUNCTION public.door_knows_device(address text, mark text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from logins l join login_devices d on d.login_id = l.id
    where l.email = lower(address) and d.device_hash = sha256(convert_to(l.id || ' ' || mark, 'UTF8')))
$function$;

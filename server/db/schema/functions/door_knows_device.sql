-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

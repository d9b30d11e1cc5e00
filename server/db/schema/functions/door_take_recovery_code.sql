-- Takes a recovery code by its hash, once. Returns whether it was there.

CREATE OR REPLACE FUNCTION public.door_take_recovery_code(login integer, hash text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with taken as (delete from recovery_codes where login_id = login and code_hash = hash returning 1)
  select exists (select from taken)
$function$;

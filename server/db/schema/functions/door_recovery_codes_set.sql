-- Sets the recovery codes of a login, by their hashes, in place of those before.

CREATE OR REPLACE FUNCTION public.door_recovery_codes_set(login integer, hashes text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from recovery_codes where login_id = login;
  insert into recovery_codes (login_id, code_hash) select login, unnest(hashes);
$function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_recovery_codes_set(login integer, hashes text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from recovery_codes where login_id = login;
  insert into recovery_codes (login_id, code_hash) select login, unnest(hashes);
$function$;

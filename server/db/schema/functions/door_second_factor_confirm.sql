-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_second_factor_confirm(login integer, sealed bytea, step bigint, hashes text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update second_factors set confirmed_at = now(), last_step = step
    where login_id = login and sealed_secret = sealed and confirmed_at is null;
  if not found then return false; end if;
  perform door_recovery_codes_set(login, hashes);
  return true;
end $function$;

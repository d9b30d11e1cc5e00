-- Confirms a second factor by the step of 30 seconds of its first code, and sets its recovery codes. Returns false where another secret was
-- begun meanwhile.

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

-- The second factor of a login: sealed secret, since when it is confirmed, the last step of 30 seconds that was used, and how many recovery
-- codes are left.

CREATE OR REPLACE FUNCTION public.door_second_factor(login integer)
 RETURNS TABLE(sealed_secret bytea, confirmed_at timestamp with time zone, last_step bigint, recovery_codes_left integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select f.sealed_secret, f.confirmed_at, f.last_step, (select count(*)::integer from recovery_codes c where c.login_id = login)
  from second_factors f where f.login_id = login
$function$;

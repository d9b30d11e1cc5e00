-- Removes the second factor of a login and its recovery codes.

CREATE OR REPLACE FUNCTION public.door_second_factor_end(login integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  delete from second_factors where login_id = login;
  delete from recovery_codes where login_id = login;
$function$;

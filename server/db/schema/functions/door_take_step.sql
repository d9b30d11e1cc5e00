-- Takes a code of a second factor by its step of 30 seconds. Returns false where it, or a later one, has been used.

CREATE OR REPLACE FUNCTION public.door_take_step(login integer, step bigint)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with taken as (update second_factors set last_step = step where login_id = login and last_step < step returning 1)
  select exists (select from taken)
$function$;

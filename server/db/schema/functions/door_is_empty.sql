-- Whether the installation has no customer yet, so that the first person may sign up.

CREATE OR REPLACE FUNCTION public.door_is_empty()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select not exists (select from customers)
$function$;

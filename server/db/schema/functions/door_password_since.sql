-- Since when a login has its password; at most 90 days back.

CREATE OR REPLACE FUNCTION public.door_password_since(login integer)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select greatest(coalesce(l.password_changed_at, l.created_at), now() - interval '90 days') from logins l where l.id = login
$function$;

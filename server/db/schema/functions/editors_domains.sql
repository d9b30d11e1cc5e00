-- The domains of the confirmed addresses of the editors who belong to the caller's customer as a whole. Receivers of schedules with one of
-- these need no confirmation, unless anybody can have an address there.

CREATE OR REPLACE FUNCTION public.editors_domains()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select distinct split_part(l.email, '@', 2) from acting_users u join logins l on l.id = u.login_id and l.confirmed_at is not null
  where u.customer_id = app_customer_id() and u.role = 'editor' and u.group_id is null and u.property_id is null
$function$
;

grant execute on function editors_domains() to foyer_app;

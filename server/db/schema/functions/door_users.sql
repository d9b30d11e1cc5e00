-- The users of a login that may act now, the one that acted last first. Asked at a sign-in, and when one switches; samples come last.

CREATE OR REPLACE FUNCTION public.door_users(login integer)
 RETURNS TABLE(user_id integer, customer_id integer, customer_name text, group_id integer, property_id integer, owner_name text, user_type_id integer, role text, name text, email text, second_factor_due boolean, mails_wait boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select u.user_id, u.customer_id, u.customer_name, u.group_id, u.property_id, u.owner_name, u.user_type_id, u.role, u.name,
    u.email, u.second_factor_due, u.mails_wait
  from acting_users u left join logins l on l.id = u.login_id
  where u.login_id = login
  -- A sample is only ever switched to.
  order by u.role = 'sample', u.user_id = l.last_user_id desc nulls last, u.user_id
$function$;

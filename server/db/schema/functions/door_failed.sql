-- Notes a wrong password in the activity log of the login's customer: at most 30 lines an hour, so that guesses do not fill the log.

CREATE OR REPLACE FUNCTION public.door_failed(login integer, address inet)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into activity (customer_id, user_id, actor_name, actor_email, action, object_type, object_id, object_name, ip, group_id, property_id)
    select u.customer_id, u.user_id, u.name, u.email, 'failed_login', 'users', u.user_id, u.name, address, u.group_id, u.property_id
    from (select * from door_users(login) limit 1) u
    where (select count(*) from (
      select from activity a where a.customer_id = u.customer_id and a.user_id = u.user_id and a.action = 'failed_login'
        and a.created_at > now() - interval '1 hour' limit 30) recent) < 30
$function$;

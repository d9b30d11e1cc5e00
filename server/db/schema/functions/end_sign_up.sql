-- Ends what somebody signed up for with an address that its holder has taken off: the login, and its customers that nobody has confirmed.
-- Called by door_not_me, and by door_sweep seven days later.

CREATE OR REPLACE FUNCTION public.end_sign_up(login integer)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update customers c set active = false, deleted_at = now() from users u
    where u.login_id = login and c.id = u.customer_id and c.confirmed_at is null and c.deleted_at is null;
  update users set active = false, deleted_at = coalesce(deleted_at, now()) where login_id = login;
  delete from logins where id = login;
$function$;

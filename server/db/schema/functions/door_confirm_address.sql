-- Notes that a login's address is confirmed, by its link and its password. Returns the customers whose mails to others have waited for it.

CREATE OR REPLACE FUNCTION public.door_confirm_address(login integer)
 RETURNS TABLE(customer_id integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update logins set confirmed_at = now() where id = login and confirmed_at is null;
  return query select distinct u.customer_id from acting_users u where u.login_id = login and u.mails_wait;
end $function$;

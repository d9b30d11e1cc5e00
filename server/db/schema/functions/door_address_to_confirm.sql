-- The sign-up that a link asks about: which company, when, and whose password it was made with. Asked when a link of a confirmation is
-- opened.

CREATE OR REPLACE FUNCTION public.door_address_to_confirm(token bytea)
 RETURNS TABLE(login_id integer, email text, password_hash text, company_name text, signed_up_at timestamp with time zone, confirmed boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select l.id, l.email, l.password_hash, c.name, c.created_at, l.confirmed_at is not null
  from address_confirmations a join logins l on l.id = a.login_id
  join users u on u.login_id = l.id and u.deleted_at is null join customers c on c.id = u.customer_id and c.deleted_at is null
  where a.token_hash = token and a.expires_at > now()
  order by c.confirmed_at is null desc, c.created_at limit 1
$function$;

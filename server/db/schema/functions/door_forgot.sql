-- Keeps the hash of a link for a forgotten password, for lifetime_s seconds, in place of the one before. Returns whom to mail; no row: no
-- login with users has the address, which the page does not tell.

CREATE OR REPLACE FUNCTION public.door_forgot(address text, token bytea, lifetime_s integer, peer inet)
 RETURNS TABLE(customer_id integer, name text, email text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  login logins%rowtype;
begin
  select * into login from logins l where l.email = lower(address);
  if not found then return; end if;
  return query select u.customer_id, login.name, login.email from door_users(login.id) u limit 1;
  if not found then return; end if;
  delete from password_resets where login_id = login.id;
  insert into password_resets (token_hash, login_id, expires_at, ip) values (token, login.id, now() + make_interval(secs => lifetime_s), peer);
end $function$;

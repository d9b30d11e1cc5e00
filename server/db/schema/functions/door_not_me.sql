-- The holder of an address that nobody has confirmed takes it off the sign-up that gave it, by the link that they were mailed: nothing is
-- sent there any more, links that were sent end. A sign-up with nothing beyond what every sign-up begins with goes at once, others are
-- asked for another address.

CREATE OR REPLACE FUNCTION public.door_not_me(token bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  login logins%rowtype;
  nobody text;
begin
  select l.* into login from address_confirmations a join logins l on l.id = a.login_id
    where a.token_hash = token and a.expires_at > now() and l.confirmed_at is null for update of l;
  if not found then return false; end if;
  nobody := 'address-' || login.id || '@taken-off.invalid';
  update logins set email = nobody, taken_off = login.email, taken_off_at = now() where id = login.id;
  update users set email = nobody where login_id = login.id;
  update customers c set contact_email = null from users u
    where u.login_id = login.id and c.id = u.customer_id and lower(c.contact_email) = login.email;
  delete from outbox_mails m using users u
    where u.login_id = login.id and m.customer_id = u.customer_id and lower(m.recipient_email) = login.email and m.sent_at is null;
  delete from password_resets where login_id = login.id;
  delete from address_confirmations where login_id = login.id;
  if not exists (select from users u where u.login_id = login.id and has_more_than_starters(u.customer_id)) then
    perform end_sign_up(login.id);
  end if;
  return true;
end $function$;

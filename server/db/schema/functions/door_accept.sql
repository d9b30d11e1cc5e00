-- Accepts an invitation by its link, once: gives the user a login, with a new password where there is none or nobody has proven its
-- address. Returns login and user; no row: the link is used or over. Other invitations of the user end.

CREATE OR REPLACE FUNCTION public.door_accept(token bytea, new_hash text, person text)
 RETURNS TABLE(login_id integer, user_id integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  invitation invitations%rowtype;
  login integer;
begin
  update invitations set accepted_at = now() where token_hash = token and accepted_at is null and expires_at > now() returning * into invitation;
  if invitation.id is null then return; end if;
  select id into login from logins l where l.email = invitation.email;
  if login is null then
    insert into logins (email, password_hash, name, confirmed_at) values (invitation.email, new_hash,
      coalesce(person, (select u.name from users u where u.id = invitation.user_id)), now()) returning id into login;
  elsif door_end_unproven(login) then
    perform door_change_password(login, new_hash, '');
  end if;
  update users set login_id = login, draft = false, name = coalesce(person, users.name) where id = invitation.user_id and deleted_at is null;
  if not found then return; end if;
  update invitations set accepted_at = now() where invitations.user_id = invitation.user_id and accepted_at is null;
  return query select login, invitation.user_id;
end $function$;

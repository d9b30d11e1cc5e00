-- Ends what was made under an address that nobody has proven, and notes that it is proven now: second factor, keys, webhooks, and mails
-- that wait to be sent in its name. Sessions end with the change of the password that follows. Whoever signed up with an address that is
-- not theirs leaves nothing to its holder, and the customer waits on, for the link that names it. Of a proven one nothing. Returns whether
-- it was unproven; called by door_accept and door_reset.

CREATE OR REPLACE FUNCTION public.door_end_unproven(login integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from logins l where l.id = login and l.confirmed_at is null) then return false; end if;
  perform door_second_factor_end(login);
  update api_keys k set deleted_at = now() from users u
    where u.login_id = login and k.customer_id = u.customer_id and u.id in (k.created_by_user_id, k.user_id) and k.deleted_at is null;
  update webhooks w set active = false
    from users u join activity a on a.customer_id = u.customer_id and a.user_id = u.id and a.object_type = 'webhooks'
      and (a.action = 'create' or a.after ?| array['url', 'url_changed', 'events', 'personal_data'])
    where u.login_id = login and w.customer_id = a.customer_id and w.id = a.object_id and w.active;
  delete from outbox_mails m using users u join customers c on c.id = u.customer_id and c.confirmed_at is null
    where u.login_id = login and m.customer_id = c.id and m.sent_at is null and m.failed_at is null
      and lower(m.recipient_email) <> lower(u.email);
  update logins set confirmed_at = now() where id = login;
  return true;
end $function$;

-- The invitation that a link belongs to: whom it invites, to what, and whether they have a login with a proven address, whose password is
-- then asked for. Asked before it is accepted.

CREATE OR REPLACE FUNCTION public.door_invitation(token bytea)
 RETURNS TABLE(email text, login_id integer, password_hash text, name text, customer_name text, owner_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.email, l.id, l.password_hash, u.name, c.name, coalesce(g.name, p.name, c.name)
  from invitations i
  join users u on u.id = i.user_id and u.deleted_at is null and u.active
  join customers c on c.id = u.customer_id
  left join groups g on g.customer_id = u.customer_id and g.id = u.group_id
  left join properties p on p.customer_id = u.customer_id and p.id = u.property_id
  -- The link proves the address: of one that was never proven, whoever knows its password is not asked.
  left join logins l on l.email = i.email and l.confirmed_at is not null
  where i.token_hash = token and i.accepted_at is null and i.expires_at > now()
$function$;

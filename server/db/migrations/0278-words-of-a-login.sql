-- Words of a login: what is known of whoever chooses a password, so that it is not made of that (server/access/near-words.ts).

-- Whose link for a new password this is; nobody's: unknown, used or too old. It is not used up by that.
create function door_reset_of(token bytea) returns table (login_id integer, name text, email text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.id, l.name, l.email
  from password_resets r
  join logins l on l.id = r.login_id
  where r.token_hash = token and r.used_at is null and r.expires_at > now()
$$;

-- As before, with the names of the person and of whom they are to work for.
drop function door_invitation(bytea);
create function door_invitation(token bytea)
returns table (email text, login_id integer, password_hash text, name text, customer_name text, owner_name text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.email, l.id, l.password_hash, u.name, c.name, coalesce(g.name, p.name, c.name)
  from invitations i
  join users u on u.id = i.user_id and u.deleted_at is null and u.active
  join customers c on c.id = u.customer_id
  left join groups g on g.customer_id = u.customer_id and g.id = u.group_id
  left join properties p on p.customer_id = u.customer_id and p.id = u.property_id
  left join logins l on l.email = i.email
  where i.token_hash = token and i.accepted_at is null and i.expires_at > now()
$$;

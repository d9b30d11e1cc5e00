-- API keys: whose a key is, asked before a customer is known, as for a session.

-- Who holds this key, right now: of a user who may sign in, or of a group or property that is there. No row: nobody.
-- `wait_s` above 0: too many requests of this key in this minute. `property_ids`: null, or those of the key that its owner
-- still reaches.
create function door_api_key(token bytea, requests_max integer)
returns table (api_key_id integer, wait_s integer, customer_id integer, group_id integer, property_id integer,
  role text, name text, permissions text[], property_ids integer[])
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  holder record;
begin
  select k.id, k.customer_id, k.name, k.permissions, k.last_used_at,
      coalesce(k.group_id, u.group_id) as group_id, coalesce(k.property_id, u.property_id) as property_id,
      coalesce(t.role, 'editor') as role, k.property_ids as limited_to
    into holder
    from api_key_secrets s
    join api_keys k on k.customer_id = s.customer_id and k.id = s.api_key_id
      and k.deleted_at is null and (k.expires_at is null or k.expires_at > now())
      and num_nonnulls(k.user_id, k.group_id, k.property_id) = 1
    join customers c on c.id = k.customer_id and c.active and c.deleted_at is null
    left join users u on u.customer_id = k.customer_id and u.id = k.user_id
    left join user_types t on t.id = u.user_type_id
    left join groups g on g.customer_id = k.customer_id and g.id = coalesce(k.group_id, u.group_id)
    left join properties p on p.customer_id = k.customer_id and p.id = coalesce(k.property_id, u.property_id)
    where s.token_hash = token
      and (k.user_id is null
        or (u.login_id is not null and u.active and not u.draft and u.deleted_at is null and u.package_id is null))
      and g.deleted_at is null and p.deleted_at is null;
  if not found then return; end if;
  if holder.last_used_at is null or holder.last_used_at < now() - interval '1 minute' then
    update api_keys set last_used_at = now() where id = holder.id;
  end if;
  return query select holder.id, door_count('key:' || holder.id, requests_max, 60), holder.customer_id, holder.group_id,
    holder.property_id, holder.role, holder.name, holder.permissions,
    case when cardinality(holder.limited_to) = 0 then null else array(
      select p.id from properties p
      where p.customer_id = holder.customer_id and p.id = any (holder.limited_to) and p.deleted_at is null
        and (holder.group_id is null or p.group_id = holder.group_id)
        and (holder.property_id is null or p.id = holder.property_id)
      order by p.id) end;
end $$;

grant execute on function door_api_key(bytea, integer) to foyer_app;

-- The live API key with this token, and what it may do: owner, role, permissions, and the properties that it is limited to. Asked by each
-- request with a key; counts it, of requests_max in a minute, and returns the seconds to wait.

CREATE OR REPLACE FUNCTION public.door_api_key(token bytea, requests_max integer)
 RETURNS TABLE(api_key_id integer, wait_s integer, customer_id integer, group_id integer, property_id integer, role text, name text, permissions text[], property_ids integer[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
end $function$;

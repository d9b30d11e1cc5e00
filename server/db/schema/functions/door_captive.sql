-- The device online at a gateway with this address, and whether its session is open. Answers the captive portal API of telephones; nothing
-- where open sessions of the gateway have no address, since the address may be theirs.

CREATE OR REPLACE FUNCTION public.door_captive(portal text, gateway integer, asked inet)
 RETURNS TABLE(customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, host text, session_id bigint, is_open boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id,
    coalesce(g.dns_name, case family(g.ip_address) when 6 then '[' || host(g.ip_address) || ']' else host(g.ip_address) end),
    s.id, s.is_open
  from portals p
  join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
  join gateways g on g.customer_id = p.customer_id and g.id = gateway and g.status = 'active' and g.deleted_at is null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null
  cross join lateral (
    select r.id, r.stopped_at is null and r.disconnect_agreed_at is null and a.until is null as is_open
    from session_addresses a join radius_sessions r on r.customer_id = a.customer_id and r.id = a.radius_session_id
    where a.customer_id = g.customer_id and a.address = asked and r.gateway_id = g.id and r.last_seen_at > now() - interval '1 day'
    order by 2 desc, r.id desc limit 1) s
  where p.public_id = portal and p.status = 'active' and p.deleted_at is null
    and coalesce(g.dns_name, host(g.ip_address)) is not null
    and (s.is_open or not exists (select from radius_sessions o
      where o.customer_id = g.customer_id and o.property_id = g.property_id and o.gateway_id = g.id and o.stopped_at is null
        and o.ip is null))
$function$;

-- The pass of a guest, and the gateway that it is good at, by the hash of the key in the address of their status page.

CREATE OR REPLACE FUNCTION public.door_status(portal text, key_hash bytea)
 RETURNS TABLE(customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, host text, property_name text, access_pass_id bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id,
    coalesce(g.dns_name, case family(g.ip_address) when 6 then '[' || host(g.ip_address) || ']' else host(g.ip_address) end),
    h.name, a.id
  from access_passes a
  join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  join portals p on p.customer_id = a.customer_id and p.public_id = portal and p.deleted_at is null
  where a.status_key_hash = key_hash;
end $function$;

-- As door_arrival_at, without portal hosts of gateways. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_arrival_gateway(portal text, identifier text, mac macaddr, named_host text, made integer)
 RETURNS TABLE(customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, host text, sealed_radius_secret bytea, property_name text, portal_id integer, auth_method_ids integer[], terms text, terms_version integer, marketing_text text, login_method text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id,
    coalesce(g.dns_name, case family(g.ip_address) when 6 then '[' || host(g.ip_address) || ']' else host(g.ip_address) end),
    s.sealed_radius_secret, h.name, p.id, p.auth_method_ids, p.terms, p.terms_version, p.marketing_text, g.login_method
  from portals a
  join gateways g on g.customer_id = a.customer_id and g.status = 'active' and g.deleted_at is null
    and (g.nas_identifier = identifier or g.mac_address = mac
      or exists (select from access_points k where k.customer_id = g.customer_id and k.gateway_id = g.id and k.mac_address = mac
        and k.accepted_at is not null)
      or (g.gateway_type_id = made and named_host in (g.dns_name, host(g.ip_address))))
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.status = 'active' and h.deleted_at is null
  -- What a guest may do is by the property's portal, wherever the gateway redirects.
  join portals p on p.customer_id = g.customer_id and p.id = coalesce(portal_of_property(h.customer_id, h.portal_id, h.group_id), a.id)
  join customers c on c.id = a.customer_id and c.active and c.deleted_at is null
  where a.public_id = portal and a.deleted_at is null
  order by (g.nas_identifier = identifier) desc nulls last, (g.gateway_type_id = made) desc, g.id limit 1;
end $function$;

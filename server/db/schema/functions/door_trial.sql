-- The trial that a simulated gateway with this NAS-Identifier belongs to, while it goes on: property, portal and sealed secret. Asked by
-- the pages on which a portal is tried.

CREATE OR REPLACE FUNCTION public.door_trial(called text)
 RETURNS TABLE(customer_id integer, id integer, property_id integer, property_name text, public_id text, sealed_radius_secret bytea, ends_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.property_id, h.name, p.public_id, s.sealed_radius_secret, t.ends_at
  from gateways g
  join trials t on t.customer_id = g.customer_id and t.gateway_id = g.id and t.ends_at > now()
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  left join portals p on p.customer_id = h.customer_id and p.id = portal_of_property(h.customer_id, h.portal_id, h.group_id)
    and p.status = 'active' and p.deleted_at is null
  where g.nas_identifier = called and g.trial_id is not null and g.deleted_at is null;
end $function$;

-- What is needed to answer gateways that are known by id, in the order asked: sealed secret, make, time zone, and which side its counters
-- are of. Asked by nodes that hear RADIUS; those without a secret cannot ask.

CREATE OR REPLACE FUNCTION public.door_radius_gateways(ids integer[])
 RETURNS TABLE(customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean, takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id, g.active,
    g.takes_unsigned, g.counts_from_gateway_side, coalesce(p.time_zone, c.time_zone), s.sealed_radius_secret
  from unnest(ids) with ordinality q (id, n)
  join gateways g on g.id = q.id and g.deleted_at is null
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties p on p.customer_id = g.customer_id and p.id = g.property_id and p.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  order by q.n;
end $function$;

-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_radius_strangers(identifiers text[], macs macaddr[], addresses inet[])
 RETURNS TABLE(n integer, customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean, takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select q.n::integer, k.*
  from unnest(identifiers, macs, addresses) with ordinality q (identifier, mac, address, n)
  cross join lateral (
    select array(
      select c.id from (
        select 0 as place, n.id from gateways n where n.nas_identifier = q.identifier and n.deleted_at is null
        union all select 0, m.id from gateways m where m.mac_address = q.mac and m.deleted_at is null
        union all select row_number() over (partition by a.customer_id order by a.id), a.id
          from gateways a where a.ip_address = q.address and a.deleted_at is null) c
      group by c.id order by min(c.place), c.id limit 40) as ids) found
  cross join lateral door_radius_gateways(found.ids) k
$function$;

-- For each packet from an address that nothing is known of: the gateways that it may be from, at most 8, by NAS-Identifier, MAC address or
-- address, those that fit best first and each customer in turn. The packet is checked with the secret of each.

CREATE OR REPLACE FUNCTION public.door_radius_strangers(identifiers text[], macs macaddr[], addresses inet[])
 RETURNS TABLE(n integer, customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean, takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select q.n::integer, k.*
  from unnest(identifiers, macs, addresses) with ordinality q (identifier, mac, address, n)
  cross join lateral (
    select array(
      select r.id from (
        select f.id, f.fits, f.proven,
          row_number() over (partition by f.customer_id order by f.fits desc, f.proven desc, f.id) as place
        from (
          select c.customer_id, c.id, sum(case c.by when 'address' then 1 else 2 end) as fits, exists (select from gateway_addresses p
              where p.customer_id = c.customer_id and p.gateway_id = c.id and p.proven_at > now() - interval '30 days') as proven
          from (
            select n.customer_id, n.id, 'name' as by from gateways n where n.nas_identifier = q.identifier and n.deleted_at is null
            union select m.customer_id, m.id, 'mac' from gateways m where m.mac_address = q.mac and m.deleted_at is null
            union select a.customer_id, a.gateway_id, 'mac' from access_points a
              join gateways o on o.customer_id = a.customer_id and o.id = a.gateway_id and o.deleted_at is null
              where a.mac_address = q.mac and a.accepted_at is not null
            union select a.customer_id, a.id, 'address' from gateways a where a.ip_address = q.address and a.deleted_at is null) c
          group by c.customer_id, c.id) f) r
      order by r.place, r.fits desc, r.proven desc, r.id limit 8) as ids) found
  cross join lateral door_radius_gateways(found.ids) k;
end $function$;

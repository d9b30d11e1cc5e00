-- Proven gateways: from which addresses each has shown that it knows its secret. Across customers a gateway's name, MAC and
-- address count from there alone; until then they are claims.

-- proven_at: when a packet that was signed with its secret last came from there, to the hour; since: when the first one did.
create table gateway_addresses (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  gateway_id integer not null,
  address inet not null,
  since timestamptz not null default now(),
  proven_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, gateway_id, address),
  foreign key (customer_id, gateway_id) references gateways (customer_id, id) on delete cascade
);
create index on gateway_addresses (address);
select make_tenant_table('gateway_addresses');

-- Of an old gateway that signs nothing, the address that was noted may be anybody's.
insert into gateway_addresses (customer_id, gateway_id, address, since, proven_at)
  select customer_id, id, last_address, last_seen_at, last_seen_at from gateways
  where deleted_at is null and last_address is not null and last_seen_at is not null and not takes_unsigned;

-- A name that another customer has chosen is nobody's business here.
alter table gateways drop constraint gateways_nas_identifier_key;
create unique index gateways_nas_identifier_unique on gateways (customer_id, nas_identifier);
create index on gateways (nas_identifier) where deleted_at is null;

drop function door_radius_gateways(text, macaddr, inet);

-- Gateways by their numbers, with what an answer to them needs.
create function door_radius_gateways(ids integer[])
returns table (customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean,
  takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id, g.active,
    g.takes_unsigned, g.counts_from_gateway_side, coalesce(p.time_zone, c.time_zone), s.sealed_radius_secret
  from unnest(ids) with ordinality q (id, n)
  join gateways g on g.id = q.id and g.deleted_at is null
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties p on p.customer_id = g.customer_id and p.id = g.property_id and p.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  order by q.n
$$;

-- Every gateway that is proven at an address, with what it is told by there; the longest proven first.
create function door_radius_proven()
returns table (gateway_id integer, customer_id integer, address text, nas_identifier text, mac_address text, by_address boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.gateway_id, a.customer_id, host(a.address), g.nas_identifier, g.mac_address::text, coalesce(g.ip_address = a.address, false)
  from gateway_addresses a
  join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
  where a.proven_at > now() - interval '30 days'
  order by a.since, a.id
$$;

-- Every gateway that each of these may be, by what it says of itself and by the address that it came from: its secret decides.
-- An address that one customer has registered many times leaves room for the others that have.
create function door_radius_strangers(identifiers text[], macs macaddr[], addresses inet[])
returns table (n integer, customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean,
  takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
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
$$;

-- Notes gateways that nobody knows, with those whose own gateway is proven at the same address.
drop function door_radius_unregistered(text, macaddr, inet);
create function door_radius_unregistered(identifier text, mac macaddr, from_address inet) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into unregistered_gateways as u (customer_id, property_id, address, nas_identifier, mac_address)
    select g.customer_id, g.property_id, from_address, identifier, mac from (
      select distinct g.customer_id, g.property_id from gateway_addresses a
        join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
        where a.address = from_address and a.proven_at > now() - interval '30 days' limit 5) g
    where exists (select from unregistered_gateways k where k.customer_id = g.customer_id and k.property_id = g.property_id
        and k.address = from_address and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac)
      or (select count(*) from unregistered_gateways k
        where k.customer_id = g.customer_id and k.property_id = g.property_id) < 20
  on conflict (customer_id, property_id, address, nas_identifier, mac_address) do update set last_seen_at = now()
$$;
drop index gateways_last_address_idx;

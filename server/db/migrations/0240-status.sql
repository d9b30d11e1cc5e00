-- Status: by an address of their own, guests come back to us once their gateway has let them in, to see what is left and to
-- sign out.

-- status_key_hash: SHA-256 of the key that stands in that address. signed_out_at: they pressed the button there.
alter table access_passes add column status_key_hash bytea;
alter table access_passes add column signed_out_at timestamptz;
create unique index access_passes_status_key on access_passes (status_key_hash) where status_key_hash is not null;

-- A device that was signed out is not let in by its address, and leaves its place to another one.
alter table guest_devices add column signed_out_at timestamptz;

-- A pass by the key of its address, with the gateway that it was made for. Nothing where the portal is not shown, or not the
-- customer's whose gateway it is.
create function door_status(portal text, key_hash bytea) returns table (
  customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, host text, property_name text,
  access_pass_id bigint
) language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id,
    coalesce(g.dns_name, case family(g.ip_address) when 6 then '[' || host(g.ip_address) || ']' else host(g.ip_address) end),
    h.name, a.id
  from access_passes a
  join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  join portals p on p.customer_id = a.customer_id and p.public_id = portal and p.status = 'active' and p.deleted_at is null
  where a.status_key_hash = key_hash and coalesce(g.dns_name, host(g.ip_address)) is not null
$$;

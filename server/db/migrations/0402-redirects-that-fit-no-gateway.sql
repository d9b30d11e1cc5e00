-- Redirects that fit no gateway: guests who were sent to a portal by a box that is not registered, not the one that it says it is,
-- registered as another kind, or of a make whose redirect nobody reads. They are kept beside the boxes that ask by RADIUS.

alter table unregistered_gateways
  alter column address drop not null,
  add column why text not null default 'asks' check (why in ('asks', 'unknown', 'not_genuine', 'other_kind', 'not_served')),
  -- The make that the redirect is one of.
  add column gateway_type_id integer references gateway_types (id),
  -- The registered one that it names.
  add column gateway_id integer,
  add constraint unregistered_gateways_gateway_fkey foreign key (customer_id, gateway_id)
    references gateways (customer_id, id) on delete cascade,
  drop constraint unregistered_gateways_customer_id_property_id_address_nas_i_key,
  add constraint unregistered_gateways_asked_key unique nulls not distinct
    (customer_id, property_id, address, nas_identifier, mac_address, why, gateway_type_id, gateway_id);
create index unregistered_gateways_gateway_idx on unregistered_gateways (customer_id, gateway_id) where gateway_id is not null;

create or replace function door_radius_unregistered(identifier text, mac macaddr, from_address inet) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into unregistered_gateways as u (customer_id, property_id, address, nas_identifier, mac_address)
    select g.customer_id, g.property_id, from_address, identifier, mac from (
      select distinct g.customer_id, g.property_id from gateway_addresses a
        join gateways g on g.customer_id = a.customer_id and g.id = a.gateway_id and g.deleted_at is null
        where a.address = from_address and a.proven_at > now() - interval '30 days' limit 5) g
    where exists (select from unregistered_gateways k where k.customer_id = g.customer_id and k.property_id = g.property_id
        and k.address = from_address and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac
        and k.why = 'asks')
      or (select count(*) from unregistered_gateways k
        where k.customer_id = g.customer_id and k.property_id = g.property_id) < 20
  on conflict on constraint unregistered_gateways_asked_key do update set last_seen_at = now()
$$;

-- Noted at the property of the gateway that the redirect names, else at those of the portal where no gateway was heard of late: of
-- many, at five. Where the guest was, who may be anybody, is not kept.
create function door_portal_stray(portal text, identifier text, mac macaddr, reason text, made integer, named integer) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into unregistered_gateways as u (customer_id, property_id, nas_identifier, mac_address, why, gateway_type_id, gateway_id)
    select h.customer_id, h.id, identifier, mac, reason, made, h.gateway_id from (
      select r.customer_id, r.id, g.id as gateway_id from portals p
        join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
        join properties r on r.customer_id = p.customer_id and r.portal_id = p.id and r.deleted_at is null and r.status = 'active'
        left join gateways g on g.customer_id = p.customer_id and g.id = named and g.property_id = r.id
        where p.public_id = portal and p.deleted_at is null and p.status = 'active' and (named is null or g.id is not null)
        order by exists (select from gateways o where o.customer_id = r.customer_id and o.property_id = r.id and o.deleted_at is null
          and o.last_seen_at > now() - interval '1 day'), r.id
        limit 5) h
    where exists (select from unregistered_gateways k where k.customer_id = h.customer_id and k.property_id = h.id
        and k.address is null and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac
        and k.why = reason and k.gateway_type_id is not distinct from made and k.gateway_id is not distinct from h.gateway_id)
      or (select count(*) from unregistered_gateways k
        where k.customer_id = h.customer_id and k.property_id = h.id and k.why <> 'asks') < 10
  on conflict on constraint unregistered_gateways_asked_key do update set last_seen_at = now()
$$;

-- RADIUS: what a gateway is known by and was last heard of, how sessions are counted and ended, and who holds a device's place.

-- takes_unsigned: old software that signs no request for access. disconnect_port: where the gateway listens for ours.
-- last_address: where its packets come from. restarted_at: it said itself that it began anew. refused_at and refused_for:
-- when its packets were last left unanswered, and why.
alter table gateways add column takes_unsigned boolean not null default false;
alter table gateways add column disconnect_port integer not null default 3799 check (disconnect_port between 1 and 65535);
alter table gateways add column last_address inet;
alter table gateways add column restarted_at timestamptz;
alter table gateways add column refused_at timestamptz;
alter table gateways add column refused_for text check (refused_for in ('wrong_secret', 'unsigned'));

-- A guest who signed in with a room and a name stays as long as that stay lasts.
alter table guests add column room_guest_id integer;
alter table guests add foreign key (customer_id, room_guest_id)
  references room_guests (customer_id, id) on delete set null (room_guest_id);
create unique index guests_room_guest_unique on guests (customer_id, room_guest_id)
  where room_guest_id is not null and deleted_at is null;
create index on guests (customer_id, room_guest_id) where room_guest_id is not null;

-- What a device that comes back is let in with. waits_until: its place is kept for it until its session is reported.
alter table guest_devices add column auth_method_id integer references auth_methods;
alter table guest_devices add column package_id integer;
alter table guest_devices add foreign key (customer_id, package_id)
  references packages (customer_id, id) on delete set null (package_id);
alter table guest_devices add column waits_until timestamptz;
create index on guest_devices (customer_id, package_id) where package_id is not null;

-- What a session is later known by: the gateway repeats the number of the decision with each of its records.
-- Of rows that are there already nothing is asked.
alter table radius_authorisations add constraint radius_authorisations_reason check (reason in ('unknown_user', 'accepted',
  'gateway_disabled', 'property_disabled', 'device_unnamed', 'device_blocked', 'too_many_tries', 'wrong_password',
  'unknown_device', 'pass_over', 'account_disabled', 'device_disabled', 'stay_over', 'batch_disabled', 'package_disabled',
  'not_yet_valid', 'expired', 'time_used_up', 'data_used_up', 'device_limit')) not valid;
alter table radius_authorisations add column guest_id bigint;
alter table radius_authorisations add column package_id integer;
alter table radius_authorisations add column ends_at timestamptz;
alter table radius_authorisations add column search text not null
  generated always as (search_text(' ' || coalesce(identifier, '') || ' ' || coalesce(mac_address::text, '')
    || search_hex(identifier) || search_hex(mac_address::text))) stored;
select make_searchable('radius_authorisations');

-- Counters change with each report, so no index holds them: a row is then written anew in its own place.
-- days: the highest counters that were reported on each local day, from which each day's part follows whatever the order of
-- the reports. ends_at: when its time is over. disconnect_asked_at and disconnect_for: that and why we
-- want it ended; disconnect_agreed_at: its gateway said yes.
alter table radius_sessions add column authorisation_id bigint;
alter table radius_sessions add column username text;
alter table radius_sessions add column days jsonb not null default '{}';
alter table radius_sessions add column ends_at timestamptz;
alter table radius_sessions add column disconnect_asked_at timestamptz;
alter table radius_sessions add column disconnect_agreed_at timestamptz;
alter table radius_sessions add column disconnect_for text;
alter table radius_sessions add column search text not null
  generated always as (search_text(' ' || coalesce(identifier, '') || ' ' || coalesce(mac_address::text, '')
    || search_hex(identifier) || search_hex(mac_address::text))) stored;
select make_list('radius_sessions', 'property_id', 'account_id', 'device_id'), make_searchable('radius_sessions');
create index on radius_sessions (customer_id, created_at desc, id desc) where stopped_at is null;
create index on radius_sessions (customer_id, property_id, created_at desc, id desc) where stopped_at is null;
create index on radius_sessions (customer_id, account_id) where stopped_at is null and account_id is not null;
create index on radius_sessions (customer_id, guest_id) where stopped_at is null and guest_id is not null;

-- Gateways that asked from where one of the property's own asks, and are not registered. At most 20 of a property.
create table unregistered_gateways (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  address inet not null,
  nas_identifier text,
  mac_address macaddr,
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (customer_id, id),
  unique nulls not distinct (customer_id, property_id, address, nas_identifier, mac_address),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('unregistered_gateways'), make_list('unregistered_gateways', 'property_id');

-- Every gateway that a packet may come from, by what it says of itself and by where it came from: its secret decides.
create function door_radius_gateways(identifier text, mac macaddr, address inet)
returns table (customer_id integer, id integer, property_id integer, name text, gateway_type_id integer, active boolean,
  takes_unsigned boolean, counts_from_gateway_side boolean, time_zone text, sealed_radius_secret bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select g.customer_id, g.id, g.property_id, coalesce(g.name, g.nas_identifier), g.gateway_type_id, g.active,
    g.takes_unsigned, g.counts_from_gateway_side, coalesce(p.time_zone, c.time_zone), s.sealed_radius_secret
  from (
    select 1 as place, n.id from gateways n where n.nas_identifier = identifier
    union all select 2, m.id from gateways m where m.mac_address = mac
    union all (select 3, a.id from gateways a where a.ip_address = address and a.deleted_at is null limit 20)
  ) found
  join gateways g on g.id = found.id and g.deleted_at is null
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties p on p.customer_id = g.customer_id and p.id = g.property_id and p.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  group by g.id, p.id, c.id, s.id
  order by min(found.place), g.id limit 20
$$;
create index on gateways (mac_address) where mac_address is not null and deleted_at is null;

-- Notes that a gateway's packet was left unanswered.
create function door_radius_refused(gateway integer, why text) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update gateways set refused_at = now(), refused_for = why where id = gateway
$$;

-- Notes a gateway that nobody knows, with those whose own gateway asks from the same address.
create function door_radius_unregistered(identifier text, mac macaddr, from_address inet) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into unregistered_gateways as u (customer_id, property_id, address, nas_identifier, mac_address)
    select g.customer_id, g.property_id, from_address, identifier, mac from (
      select distinct customer_id, property_id from gateways
        where deleted_at is null and (last_address = from_address or ip_address = from_address) limit 5) g
    where exists (select from unregistered_gateways k where k.customer_id = g.customer_id and k.property_id = g.property_id
        and k.address = from_address and k.nas_identifier is not distinct from identifier and k.mac_address is not distinct from mac)
      or (select count(*) from unregistered_gateways k
        where k.customer_id = g.customer_id and k.property_id = g.property_id) < 20
  on conflict (customer_id, property_id, address, nas_identifier, mac_address) do update set last_seen_at = now()
$$;
create index on gateways (last_address) where last_address is not null and deleted_at is null;

-- Customers with somebody online: the job that ends sessions looks after each by itself.
create function door_radius_customers() returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct s.customer_id from radius_sessions s where s.stopped_at is null
$$;

-- Of the function that searches, these words change; whatever else has become of it stays.
do $$
declare
  table_before constant text := $sql$'guests', 'imports',$sql$;
  table_after constant text := $sql$'guests', 'radius_authorisations', 'radius_sessions', 'imports',$sql$;
  deletion_before constant text := $sql$entity in ('activity', 'imports')$sql$;
  deletion_after constant text := $sql$entity in ('activity', 'imports', 'radius_authorisations', 'radius_sessions')$sql$;
  written constant text := pg_get_functiondef('search_ids(text, text, integer, integer[])'::regprocedure);
begin
  if position(table_before in written) = 0 or position(deletion_before in written) = 0 then
    raise exception 'search_ids names its tables in another way';
  end if;
  execute replace(replace(written, table_before, table_after), deletion_before, deletion_after);
end $$;

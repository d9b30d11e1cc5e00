-- Session addresses: which addresses each session had, and from when to when; and what a gateway is asked by, in its own words.

-- calling_station: how its gateway writes the device. ipv6: the addresses and prefixes that it has now, beside `ip`.
-- disconnect_unknown_at: when its gateway last said that it has none such.
alter table radius_sessions add column calling_station text;
alter table radius_sessions add column disconnect_unknown_at timestamptz;
alter table radius_sessions add column ipv6 text[] not null default '{}';

-- until: when another took its place; without one it was the session's until that ended. since is the session's beginning where it
-- was reported first.
create table session_addresses (
  id bigint generated always as identity,
  customer_id integer not null references customers,
  property_id integer not null,
  radius_session_id bigint not null,
  address inet not null,
  since timestamptz not null,
  until timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade,
  foreign key (customer_id, radius_session_id) references radius_sessions (customer_id, id) on delete cascade
);
create index on session_addresses (customer_id, address, since desc);
create index on session_addresses (customer_id, radius_session_id);
create index on session_addresses (customer_id, property_id);
select make_tenant_table('session_addresses');

-- Of the sessions there are, the last address is known.
insert into session_addresses (customer_id, property_id, radius_session_id, address, since)
  select customer_id, property_id, id, ip, started_at from radius_sessions where ip is not null;

-- class_of: the attempt whose Class its answer repeats; nothing where it has one of its own.
alter table radius_authorisations add column class_of bigint;
create index on radius_authorisations (customer_id, class_of) where class_of is not null;

-- Of the function that erases guests, these words change; whatever else has become of it stays.
do $$
declare
  erased_before constant text := 'update radius_sessions set identifier = null, username = null, ip = null,';
  erased_after constant text := $sql$delete from session_addresses a using radius_sessions s
      where a.customer_id = customer and s.customer_id = customer and a.radius_session_id = s.id and s.mac_address = device
        and s.guest_id is null and s.account_id is null and s.voucher_id is null and s.device_id is null;
    update radius_sessions set ipv6 = '{}', identifier = null, username = null, ip = null,$sql$;
  device_before constant text := 'update radius_sessions set mac_address = nobody where';
  device_after constant text := 'update radius_sessions set mac_address = nobody, calling_station = null where';
  guests_before constant text := '  delete from guest_devices where customer_id = customer and guest_id = any (erase_guests.guests);';
  guests_after constant text := $sql$  delete from session_addresses a using radius_sessions s
    where a.customer_id = customer and s.customer_id = customer and a.radius_session_id = s.id and s.guest_id = any (erase_guests.guests);
  update radius_sessions set ipv6 = '{}', calling_station = null
    where customer_id = customer and guest_id = any (erase_guests.guests);
$sql$ || guests_before;
  written text := pg_get_functiondef('erase_guests(bigint[])'::regprocedure);
  first integer := position(erased_before in written);
begin
  if first = 0 or position(device_before in written) = 0 or position(guests_before in written) = 0 then
    raise exception 'erase_guests forgets sessions in another way';
  end if;
  written := overlay(written placing erased_after from first for length(erased_before));
  execute replace(replace(written, device_before, device_after), guests_before, guests_after);
end $$;

-- Addresses that are confirmed: a guest who signs in with an e-mail address or a mobile number of their own.

-- waiting_mac_address: the device on which an address was typed that nobody has confirmed yet; such a guest is somebody else's
-- claim, and is online for a few minutes at most, until grace_ends_at. confirmed_at: when the address was proven.
alter table guests add column waiting_mac_address macaddr;
alter table guests add column grace_ends_at timestamptz;
alter table guests add column confirmed_at timestamptz;
create unique index guests_waiting_unique on guests (customer_id, property_id, waiting_mac_address)
  where waiting_mac_address is not null and deleted_at is null;

-- A guest is known at one property; what nobody has confirmed, or what only the desk wrote down, may stand there twice.
drop index guests_email_unique;
drop index guests_mobile_number_unique;
create unique index guests_email_unique on guests (customer_id, property_id, lower(email))
  where deleted_at is null and email is not null and confirmed_at is not null;
create unique index guests_mobile_number_unique on guests (customer_id, property_id, mobile_number)
  where deleted_at is null and mobile_number is not null and confirmed_at is not null;
create index on guests (customer_id, lower(email)) where email is not null;
create index on guests (customer_id, mobile_number) where mobile_number is not null;

-- Whom a code was sent to, through which gateway, and what stands in the link beside it.
alter table one_time_codes add column guest_id bigint;
alter table one_time_codes add column gateway_id integer;
alter table one_time_codes add column token_hash bytea unique;
alter table one_time_codes add foreign key (customer_id, guest_id) references guests (customer_id, id) on delete cascade;
alter table one_time_codes add foreign key (customer_id, gateway_id)
  references gateways (customer_id, id) on delete cascade;
create index on one_time_codes (customer_id, guest_id, id desc);
create index on one_time_codes (customer_id, gateway_id);

-- What a link is about, for whoever opens it in whatever browser.
create function door_confirmation(token bytea) returns table (
  customer_id integer, gateway_id integer, property_id integer, gateway_name text, property_name text, public_id text,
  code_id bigint, guest_id bigint, address text, is_used boolean, is_over boolean
) language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.customer_id, k.gateway_id, k.property_id, coalesce(g.name, g.nas_identifier), h.name, p.public_id,
    k.id, k.guest_id, k.address, k.used_at is not null, k.expires_at <= now()
  from one_time_codes k
  join gateways g on g.customer_id = k.customer_id and g.id = k.gateway_id and g.deleted_at is null
  join properties h on h.customer_id = k.customer_id and h.id = k.property_id and h.deleted_at is null
  join portals p on p.customer_id = k.customer_id and p.id = k.portal_id and p.deleted_at is null
  join customers c on c.id = k.customer_id and c.active and c.deleted_at is null
  where k.token_hash = token
$$;

-- Two more reasons; those that other migrations add stay.
do $$
declare
  written constant text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'radius_authorisations_reason');
begin
  if position('''unknown_user''::text' in written) = 0 then
    raise exception 'the reasons are written in another way';
  end if;
  alter table radius_authorisations drop constraint radius_authorisations_reason;
  execute 'alter table radius_authorisations add constraint radius_authorisations_reason '
    || replace(written, '''unknown_user''::text', '''unknown_user''::text, ''unconfirmed''::text, ''no_more_messages''::text');
end $$;

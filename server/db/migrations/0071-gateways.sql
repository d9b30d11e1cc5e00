-- Gateways: whether one has a password, and that gateways and property interfaces go with their property.

-- The app may write a password and not read it; that there is one may be told.
alter table gateway_secrets add column has_password boolean not null generated always as (sealed_password is not null) stored;
alter table gateway_secrets add column radius_secret_made_at timestamptz;
update gateway_secrets set radius_secret_made_at = changed_at where sealed_radius_secret is not null;
grant select (has_password, radius_secret_made_at) on gateway_secrets to foyer_app;

-- Of the function that marks what went with a removed property, only the list of tables changes.
do $$
declare
  before constant text := $sql$'voucher_batches'] loop$sql$;
  after constant text := $sql$'voucher_batches', 'gateways', 'property_interfaces'] loop$sql$;
  written constant text := pg_get_functiondef('door_removals(integer)'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'door_removals marks its tables in another way'; end if;
  execute replace(written, before, after);
end $$;
-- Those of properties that are gone already.
update properties set dependents_removed_at = null where deleted_at is not null and dependents_removed_at is not null
  and (exists (select from gateways as t where t.property_id = properties.id and t.deleted_at is null)
    or exists (select from property_interfaces as t where t.property_id = properties.id and t.deleted_at is null));

-- An address and a host name may look like half a MAC as they are typed (10.0.0.1, cafe.de): they are found as such, too.
alter table gateways drop column search;
alter table gateways add column search text not null generated always as (search_text(
  ' ' || coalesce(name, '') || ' ' || coalesce(dns_name, '') || ' ' || coalesce(mac_address::text, '') || ' ' || coalesce(host(ip_address), '')
  || ' ' || nas_identifier || search_hex(name) || search_hex(dns_name) || search_hex(mac_address::text) || search_hex(host(ip_address))
  || search_hex(nas_identifier))) stored;
select make_searchable('gateways');

-- Property interfaces: a user name and a password, each sealed and written by itself, for neither can be read back.

-- Nothing has written credentials yet.
alter table property_interface_secrets drop column sealed_credentials;
alter table property_interface_secrets add column sealed_username bytea;
alter table property_interface_secrets add column sealed_password bytea;
alter table property_interface_secrets add column has_username boolean not null generated always as (sealed_username is not null) stored;
alter table property_interface_secrets add column has_password boolean not null generated always as (sealed_password is not null) stored;
-- The app may write them and not read them; that they are there may be told.
grant select (has_username, has_password) on property_interface_secrets to foyer_app;

-- They are found by the start of a word, as everything else is, and listed by what they belong to.
alter table property_interfaces drop column search;
alter table property_interfaces add column search text not null generated always as (search_text(
  ' ' || coalesce(name, '') || ' ' || coalesce(host, '') || ' ' || coalesce(sales_outlet, '') || ' ' || uuid::text)) stored;
select make_searchable('property_interfaces');

-- Consents of connections: one that stands in the table of all has tokens, too, whatever kind it is.

alter table integration_tokens
  add column connection_id integer,
  add foreign key (customer_id, connection_id) references connections (customer_id, id) on delete cascade,
  add unique (customer_id, connection_id);
alter table integration_tokens
  drop constraint integration_tokens_check,
  add constraint integration_tokens_check
    check (num_nonnulls(accounting_integration_id, marketing_integration_id, property_interface_id, connection_id) = 1);
grant select (connection_id) on integration_tokens to foyer_app;

create function connection_tokens(connection integer) returns table (sealed_access_token bytea, sealed_refresh_token bytea)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.sealed_access_token, t.sealed_refresh_token from integration_tokens t
  where t.customer_id = app_customer_id() and t.connection_id = connection
$$;
grant execute on function connection_tokens(integer) to foyer_app;

-- The word of all kinds without calls of their own; `integration_id` is the id of the connection.
alter table oauth_states
  drop constraint oauth_states_kind_check,
  add constraint oauth_states_kind_check check (kind in ('accounting', 'marketing', 'property', 'connection'));

-- Consents of systems: an interface whose system asks a person for consent has tokens, as a connection of accounting or marketing has.

alter table integration_tokens
  add column property_interface_id integer,
  add foreign key (customer_id, property_interface_id) references property_interfaces (customer_id, id) on delete cascade,
  add unique (customer_id, property_interface_id);
alter table integration_tokens
  drop constraint integration_tokens_check,
  add constraint integration_tokens_check
    check (num_nonnulls(accounting_integration_id, marketing_integration_id, property_interface_id) = 1);
grant select (property_interface_id) on integration_tokens to foyer_app;

-- For an interface, `integration_type` is the id of its type.
alter table oauth_states
  drop constraint oauth_states_kind_check,
  add constraint oauth_states_kind_check check (kind in ('accounting', 'marketing', 'property'));

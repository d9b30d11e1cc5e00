-- An organisation is known by its id at its provider alone: with a second provider, two of them may have the same one. The drafts that are
-- there, and those that nodes of the release before still write, went to the one provider there was.

alter table billing_invoices add column integration_type text not null default 'xero';
comment on column billing_invoices.tenant_id is 'The organisation that it was sent to, by its id at the provider (integration_type).';
comment on column billing_invoices.integration_type is 'The provider whose organisation it was sent to, by the word of its definition.';

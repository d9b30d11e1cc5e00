-- The word of a provider is checked against its definitions by the API; the database had the same words again, so that each further
-- provider was a migration. The release before writes only its own.

alter table accounting_integrations drop constraint accounting_integrations_integration_type_check;
alter table marketing_integrations drop constraint marketing_integrations_integration_type_check;

-- Written by `npm run tables` from what the migrations made, never by hand.

create table integration_tokens (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  accounting_integration_id integer,
  marketing_integration_id integer,
  sealed_access_token bytea not null,
  sealed_refresh_token bytea,
  expires_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  renewal uuid,
  renewing_until timestamp with time zone,
  property_interface_id integer,
  connection_id integer,
  constraint integration_tokens_pkey PRIMARY KEY (id),
  constraint integration_tokens_customer_id_accounting_integration_id_key UNIQUE (customer_id, accounting_integration_id),
  constraint integration_tokens_customer_id_connection_id_key UNIQUE (customer_id, connection_id),
  constraint integration_tokens_customer_id_id_key UNIQUE (customer_id, id),
  constraint integration_tokens_customer_id_marketing_integration_id_key UNIQUE (customer_id, marketing_integration_id),
  constraint integration_tokens_customer_id_property_interface_id_key UNIQUE (customer_id, property_interface_id),
  constraint integration_tokens_check CHECK ((num_nonnulls(accounting_integration_id, marketing_integration_id, property_interface_id, connection_id) = 1)),
  constraint integration_tokens_customer_id_accounting_integration_id_fkey FOREIGN KEY (customer_id, accounting_integration_id) REFERENCES accounting_integrations(customer_id, id) ON DELETE CASCADE,
  constraint integration_tokens_customer_id_connection_id_fkey FOREIGN KEY (customer_id, connection_id) REFERENCES connections(customer_id, id) ON DELETE CASCADE,
  constraint integration_tokens_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint integration_tokens_customer_id_marketing_integration_id_fkey FOREIGN KEY (customer_id, marketing_integration_id) REFERENCES marketing_integrations(customer_id, id) ON DELETE CASCADE,
  constraint integration_tokens_customer_id_property_interface_id_fkey FOREIGN KEY (customer_id, property_interface_id) REFERENCES property_interfaces(customer_id, id) ON DELETE CASCADE
);

comment on table integration_tokens is 'Tokens of connections, sealed, and who is renewing them.';
comment on column integration_tokens.renewal is 'The node that is renewing them, until renewing_until; others wait.';

alter table integration_tokens enable row level security;
alter table integration_tokens force row level security;

create policy app_sees_its_customer on integration_tokens for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on integration_tokens for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.integration_tokens FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on integration_tokens to foyer_app;

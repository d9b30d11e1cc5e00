-- Written by `npm run tables` from what the migrations made, never by hand.

create table connection_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  connection_id integer not null,
  key text not null,
  sealed_value bytea not null,
  changed_at timestamp with time zone not null default now(),
  constraint connection_secrets_pkey PRIMARY KEY (id),
  constraint connection_secrets_customer_id_connection_id_key_key UNIQUE (customer_id, connection_id, key),
  constraint connection_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint connection_secrets_customer_id_connection_id_fkey FOREIGN KEY (customer_id, connection_id) REFERENCES connections(customer_id, id) ON DELETE CASCADE,
  constraint connection_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table connection_secrets is 'Secret settings of connections, sealed, by the keys of the parameters of their provider.';

alter table connection_secrets enable row level security;
alter table connection_secrets force row level security;

create policy app_sees_its_customer on connection_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on connection_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.connection_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on connection_secrets to foyer_app;

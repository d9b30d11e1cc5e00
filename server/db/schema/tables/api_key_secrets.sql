-- Written by `npm run tables` from what the migrations made, never by hand.

create table api_key_secrets (
  id integer not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  api_key_id integer not null,
  token_hash bytea not null,
  constraint api_key_secrets_pkey PRIMARY KEY (id),
  constraint api_key_secrets_customer_id_api_key_id_key UNIQUE (customer_id, api_key_id),
  constraint api_key_secrets_customer_id_id_key UNIQUE (customer_id, id),
  constraint api_key_secrets_token_hash_key UNIQUE (token_hash),
  constraint api_key_secrets_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint api_key_secrets_customer_id_api_key_id_fkey FOREIGN KEY (customer_id, api_key_id) REFERENCES api_keys(customer_id, id) ON DELETE CASCADE,
  constraint api_key_secrets_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table api_key_secrets is 'Hashes of API keys; only the function that admits a caller looks for them.';
comment on column api_key_secrets.token_hash is 'SHA-256 of the key, which nobody can read again.';

alter table api_key_secrets enable row level security;
alter table api_key_secrets force row level security;

create policy app_sees_its_customer on api_key_secrets for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on api_key_secrets for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.api_key_secrets FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, update on api_key_secrets to foyer_app;

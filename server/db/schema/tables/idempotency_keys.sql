-- Written by `npm run tables` from what the migrations made, never by hand.

create table idempotency_keys (
  id bigint not null generated always as identity,
  customer_id integer not null default app_customer_id(),
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  status integer,
  created_at timestamp with time zone not null default now(),
  sealed_answer bytea,
  principal_kind text not null,
  principal_id integer not null,
  constraint idempotency_keys_pkey PRIMARY KEY (id),
  constraint idempotency_keys_customer_id_id_key UNIQUE (customer_id, id),
  constraint idempotency_keys_customer_id_principal_kind_principal_id_en_key UNIQUE (customer_id, principal_kind, principal_id, endpoint, key),
  constraint idempotency_keys_key_check CHECK ((length(key) <= 255)),
  constraint idempotency_keys_principal_kind_check CHECK ((principal_kind = ANY (ARRAY['user'::text, 'api_key'::text, 'gateway'::text, 'guest'::text, 'job'::text]))),
  constraint idempotency_keys_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

comment on table idempotency_keys is 'Answers to requests that carried a key, so that a repetition gets the first answer. Without one, the first still runs.';
comment on column idempotency_keys.body_hash is 'A hash of the request: another one with the same key is refused.';
comment on column idempotency_keys.sealed_answer is 'The first answer, sealed, for 24 hours.';

CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;

create policy app_sees_its_customer on idempotency_keys for all to foyer_app using ((customer_id = ( SELECT app_customer_id() AS app_customer_id))) with check ((customer_id = ( SELECT app_customer_id() AS app_customer_id)));
create policy owner_sees_all on idempotency_keys for all to foyer_owner using (true) with check (true);

CREATE TRIGGER trials_change_nothing BEFORE INSERT OR DELETE OR UPDATE ON public.idempotency_keys FOR EACH ROW WHEN ((app_trial_id() IS NOT NULL)) EXECUTE FUNCTION leave_alone();

grant delete, insert, select, update on idempotency_keys to foyer_app;

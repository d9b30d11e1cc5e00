-- Written by `npm run tables` from what the migrations made, never by hand.

create table oauth_states (
  state_hash bytea not null,
  customer_id integer not null,
  user_id integer not null,
  kind text not null,
  integration_type text not null,
  sealed_code_verifier bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  integration_id integer,
  constraint oauth_states_pkey PRIMARY KEY (state_hash),
  constraint oauth_states_kind_check CHECK ((kind = ANY (ARRAY['accounting'::text, 'marketing'::text, 'property'::text, 'connection'::text]))),
  constraint oauth_states_state_hash_check CHECK ((length(state_hash) = 32)),
  constraint oauth_states_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint oauth_states_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE
);

comment on table oauth_states is 'People on their way to a provider to give consent: good once, for ten minutes, for the session that began it.';
comment on column oauth_states.state_hash is 'SHA-256 of the state that comes back from the provider.';
comment on column oauth_states.integration_id is 'The connection that is connected anew; null: a new one.';

CREATE INDEX oauth_states_customer_id_user_id_idx ON public.oauth_states USING btree (customer_id, user_id);
CREATE INDEX oauth_states_expires_at_idx ON public.oauth_states USING btree (expires_at);

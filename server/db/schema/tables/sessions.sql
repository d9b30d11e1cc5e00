-- Written by `npm run tables` from what the migrations made, never by hand.

create table sessions (
  token_hash bytea not null,
  login_id integer not null,
  user_id integer not null,
  customer_id integer not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ip inet,
  user_agent text,
  handle uuid not null default gen_random_uuid(),
  proven_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_handle_key UNIQUE (handle),
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint sessions_customer_id_user_id_fkey FOREIGN KEY (customer_id, user_id) REFERENCES users(customer_id, id) ON DELETE CASCADE,
  constraint sessions_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table sessions is 'Sign-ins of people to the app: a token''s hash, and when it was used last.';
comment on column sessions.token_hash is 'SHA-256 of the token in the person''s cookie.';
comment on column sessions.handle is 'What a person is shown to end it by; it says nothing of the token.';
comment on column sessions.proven_at is 'When the password was given again; null: not since the sign-in.';

CREATE INDEX sessions_customer_id_user_id_idx ON public.sessions USING btree (customer_id, user_id);
CREATE INDEX sessions_expires_at_idx ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_login_id_idx ON public.sessions USING btree (login_id);

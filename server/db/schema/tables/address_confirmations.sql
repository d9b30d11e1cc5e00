-- Written by `npm run tables` from what the migrations made, never by hand.

create table address_confirmations (
  login_id integer not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint address_confirmations_pkey PRIMARY KEY (login_id),
  constraint address_confirmations_token_hash_key UNIQUE (token_hash),
  constraint address_confirmations_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint address_confirmations_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table address_confirmations is 'The newest link of a login that confirms its address; it works until it is too old.';
comment on column address_confirmations.token_hash is 'SHA-256 of the key in the link.';

CREATE INDEX address_confirmations_expires_at_idx ON public.address_confirmations USING btree (expires_at);

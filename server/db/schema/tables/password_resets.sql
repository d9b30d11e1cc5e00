-- Written by `npm run tables` from what the migrations made, never by hand.

create table password_resets (
  token_hash bytea not null,
  login_id integer not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  ip inet,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint password_resets_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table password_resets is 'Links by which people choose a new password: good once, for 30 minutes.';

CREATE INDEX password_resets_expires_at_idx ON public.password_resets USING btree (expires_at);
CREATE INDEX password_resets_login_id_idx ON public.password_resets USING btree (login_id);

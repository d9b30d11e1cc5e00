-- Written by `npm run tables` from what the migrations made, never by hand.

create table sign_in_challenges (
  token_hash bytea not null,
  login_id integer not null,
  user_id integer not null,
  tries integer not null default 0,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (token_hash),
  constraint sign_in_challenges_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sign_in_challenges_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table sign_in_challenges is 'Sign-ins whose password was right, and that wait for the second factor.';

CREATE INDEX sign_in_challenges_expires_at_idx ON public.sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_login_id_idx ON public.sign_in_challenges USING btree (login_id);

-- Written by `npm run tables` from what the migrations made, never by hand.

create table logins (
  id integer not null generated always as identity,
  email text not null,
  password_hash text not null,
  name text not null,
  last_user_id integer,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  taken_off text,
  taken_off_at timestamp with time zone,
  password_changed_at timestamp with time zone,
  language text,
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_email_key UNIQUE (email),
  constraint logins_email_check CHECK ((email = lower(email))),
  constraint logins_last_user_id_fkey FOREIGN KEY (last_user_id) REFERENCES users(id) ON DELETE SET NULL
);

comment on table logins is 'People. A user is their place with one owner.';
comment on column logins.password_hash is 'Argon2id, with its salt and parameters.';
comment on column logins.last_user_id is 'The user that acted last, with whom the next sign-in begins.';
comment on column logins.taken_off is 'The address that its holder took off, which cannot be given again.';
comment on column logins.taken_off_at is 'When; null once another address was given. Seven days later the sign-up ends.';

CREATE INDEX logins_last_user_id_idx ON public.logins USING btree (last_user_id) WHERE (last_user_id IS NOT NULL);

-- Written by `npm run tables` from what the migrations made, never by hand.

create table second_factors (
  login_id integer not null,
  sealed_secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint second_factors_pkey PRIMARY KEY (login_id),
  constraint second_factors_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table second_factors is 'Secrets shared with apps that show codes (TOTP, RFC 6238), sealed.';
comment on column second_factors.last_step is 'The last step of 30 seconds whose code was taken: none is taken twice.';

-- Written by `npm run tables` from what the migrations made, never by hand.

create table login_addresses (
  login_id integer not null,
  network text not null,
  last_used_at timestamp with time zone not null default now(),
  constraint login_addresses_pkey PRIMARY KEY (login_id, network),
  constraint login_addresses_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table login_addresses is 'Networks from which a login has been used: guesses from elsewhere lock nobody out there.';
comment on column login_addresses.network is 'An IPv4 address, or the /64 of an IPv6 one.';

-- Written by `npm run tables` from what the migrations made, never by hand.

create table recovery_codes (
  login_id integer not null,
  code_hash text not null,
  constraint recovery_codes_pkey PRIMARY KEY (login_id, code_hash),
  constraint recovery_codes_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table recovery_codes is 'Hashes of the codes that stand in for a lost telephone: each works once.';

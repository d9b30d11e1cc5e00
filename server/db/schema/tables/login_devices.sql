-- Written by `npm run tables` from what the migrations made, never by hand.

create table login_devices (
  login_id integer not null,
  device_hash bytea not null,
  last_used_at timestamp with time zone not null default now(),
  constraint login_devices_pkey PRIMARY KEY (login_id, device_hash),
  constraint login_devices_device_hash_check CHECK ((length(device_hash) = 32)),
  constraint login_devices_login_id_fkey FOREIGN KEY (login_id) REFERENCES logins(id) ON DELETE CASCADE
);

comment on table login_devices is 'Browsers in which a login has been used, by a mark that they keep: a sign-in from another one is told by mail.';
comment on column login_devices.device_hash is 'SHA-256 of the login and the mark that the browser keeps.';

-- Written by `npm run tables` from what the migrations made, never by hand.

create table installation (
  id integer not null,
  key_ids bytea[] not null,
  sealed_fingerprint_key bytea not null,
  sealed_sftp_host_key bytea,
  constraint installation_pkey PRIMARY KEY (id),
  constraint installation_id_check CHECK ((id = 1)),
  constraint installation_key_ids_check CHECK ((cardinality(key_ids) > 0))
);

comment on table installation is 'One row: which secret keys all nodes seal with, and keys that stay when those are changed.';

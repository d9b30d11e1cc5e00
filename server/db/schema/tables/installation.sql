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
comment on column installation.key_ids is 'Of the secret keys in use, the one that seals first.';
comment on column installation.sealed_fingerprint_key is 'The key of fingerprints of voucher codes and recovery codes; it stays when the secret key is changed.';

-- Files that name guests lie encrypted in the storage, each under a key of its own.
alter table files add column sealed_key bytea;
comment on column files.sealed_key is 'The key under which its content is encrypted in the storage; null: it lies there as it is.';

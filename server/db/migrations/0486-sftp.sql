-- SFTP: the key by which the server for files of properties' systems is known: one of the installation, for good.
alter table installation add column sealed_sftp_host_key bytea;

-- The sealed key; `fresh` becomes it where there is none.
create function door_sftp_host_key(fresh bytea) returns table (sealed bytea)
  language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update installation set sealed_sftp_host_key = coalesce(sealed_sftp_host_key, fresh) where id = 1
    returning sealed_sftp_host_key
$$;

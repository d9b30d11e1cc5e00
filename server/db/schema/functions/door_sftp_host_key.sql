-- The sealed host key of the SFTP server, which is the given one where there was none: all nodes answer with the same.

CREATE OR REPLACE FUNCTION public.door_sftp_host_key(fresh bytea)
 RETURNS TABLE(sealed bytea)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update installation set sealed_sftp_host_key = coalesce(sealed_sftp_host_key, fresh) where id = 1
    returning sealed_sftp_host_key
$function$;

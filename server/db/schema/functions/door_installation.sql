-- The ids of the installation's secret keys, and the sealed key of fingerprints, made at the first start. Asked by each node when it
-- starts; an installation that had recovery codes keeps the key that they were made with.

CREATE OR REPLACE FUNCTION public.door_installation(key_id bytea, fresh bytea, former bytea)
 RETURNS TABLE(key_ids bytea[], sealed_fingerprint_key bytea)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  insert into installation values (1, array[key_id], case when exists (select from recovery_codes) then former else fresh end)
    on conflict (id) do update set id = 1
    returning installation.key_ids, installation.sealed_fingerprint_key
$function$;

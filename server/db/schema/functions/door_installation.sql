-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

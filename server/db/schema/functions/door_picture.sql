-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_picture(asked text)
 RETURNS TABLE(customer_id integer, hash text, content_type text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select f.customer_id, encode(f.sha256, 'hex'), f.content_type from files f
    where f.public_id = asked and f.deleted_at is null and f.content_type in ('image/jpeg', 'image/png');
$function$;

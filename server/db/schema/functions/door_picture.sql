-- The picture with this public id, with its SHA-256 and type. Asked by the browsers of guests and users; other files are not served so.

CREATE OR REPLACE FUNCTION public.door_picture(asked text)
 RETURNS TABLE(customer_id integer, hash text, content_type text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select f.customer_id, encode(f.sha256, 'hex'), f.content_type from files f
    where f.public_id = asked and f.deleted_at is null and f.content_type in ('image/jpeg', 'image/png');
$function$;

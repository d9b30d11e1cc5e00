-- A file of a custom portal by its path in the zip that is live, with its SHA-256 and type. Asked by guests' browsers.

CREATE OR REPLACE FUNCTION public.door_custom_portal_file(asked text, asked_path text)
 RETURNS TABLE(customer_id integer, hash text, content_type text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.customer_id, encode(f.sha256, 'hex'), f.content_type
  from portals p
    join customers c on c.id = p.customer_id and c.active and c.deleted_at is null
    join portal_files t on t.customer_id = p.customer_id and t.portal_id = p.id and t.zip_number = p.zip_number
    join files f on f.customer_id = t.customer_id and f.id = t.file_id
  where p.public_id = asked and t.path = asked_path and p.deleted_at is null and p.status = 'active'
    and p.portal_type_id = 2;
$function$;

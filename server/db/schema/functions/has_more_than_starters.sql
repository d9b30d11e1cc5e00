-- Whether somebody has made anything in a customer besides what door_sign_up makes. Lines of the log that are deleted may have said so.

CREATE OR REPLACE FUNCTION public.has_more_than_starters(customer integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from activity a where a.customer_id = customer and a.object_type is not null
    and a.action in ('create', 'update', 'invite', 'import', 'integration') and a.object_type <> 'customers')
    or exists (select from customers c where c.id = customer and c.activity_kept_since is not null)
$function$;

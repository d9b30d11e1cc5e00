-- The active property interface with this uuid, its settings and its sealed secrets by key. Asked when a property's system posts or
-- connects; the uuid is in its address.

CREATE OR REPLACE FUNCTION public.door_interface(asked uuid)
 RETURNS TABLE(customer_id integer, id integer, type_id integer, settings jsonb, secrets json)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id, i.property_interface_type_id, i.settings,
    (select coalesce(json_object_agg(s.key, encode(s.sealed_value, 'base64')), '{}') from property_interface_setting_secrets s
     where s.customer_id = i.customer_id and s.property_interface_id = i.id)
  from property_interfaces i where i.uuid = asked and i.active and i.deleted_at is null
$function$;

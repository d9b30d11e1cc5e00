-- The settings of gateways and their sealed secrets by key. Asked by guests' pages and RADIUS, which know the ids by what they have checked
-- before.

CREATE OR REPLACE FUNCTION public.door_gateway_settings(ids integer[])
 RETURNS TABLE(customer_id integer, id integer, settings jsonb, secrets json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.settings,
    (select coalesce(json_object_agg(s.key, encode(s.sealed_value, 'base64')), '{}') from gateway_setting_secrets s
     where s.customer_id = g.customer_id and s.gateway_id = g.id)
  from gateways g where g.id = any(ids) and g.deleted_at is null;
end $function$;

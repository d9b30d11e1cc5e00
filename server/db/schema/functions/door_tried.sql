-- Notes when a portal was first tried to the end at a simulated gateway.

CREATE OR REPLACE FUNCTION public.door_tried(gateway integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update trials t set tried_at = coalesce(t.tried_at, now()) where t.gateway_id = gateway
$function$;

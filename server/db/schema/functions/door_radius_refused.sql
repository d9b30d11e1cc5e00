-- Notes at a gateway that it was refused, and why: another secret, or unsigned.

CREATE OR REPLACE FUNCTION public.door_radius_refused(gateway integer, why text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update gateways set refused_at = now(), refused_for = why where id = gateway
$function$;

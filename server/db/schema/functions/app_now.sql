-- The present moment, by which nights, states of properties and due reports are reckoned. Tests move it ahead by the setting
-- app.clock_ahead; moments that rows are stamped with are by now().

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select now() + coalesce(nullif(current_setting('app.clock_ahead', true), '')::interval, interval '0')
$function$
;

grant execute on function app_now() to foyer_app;

-- Whether a gateway that was heard last at this moment still has something to report of guests it had then: sessions that are open, or that
-- were given up since, because nothing was reported of them any more. Asked of silent gateways, and of reports whose days may be
-- incomplete.

CREATE OR REPLACE FUNCTION public.holds_back(customer integer, property integer, gateway integer, heard timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from radius_sessions s where s.customer_id = customer and s.property_id = property
      and s.gateway_id = gateway and s.stopped_at is null)
    or exists (select from radius_sessions s where s.customer_id = customer and s.stopped_at > heard - interval '1 hour'
      and s.gateway_id = gateway and s.stop_inferred)
$function$
;

grant execute on function holds_back(integer,integer,integer,timestamp with time zone) to foyer_app;

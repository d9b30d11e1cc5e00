-- Notes that a gateway has sent a guest: with is_heard that it is alive; without, that it has been silent for five minutes and sends guests
-- all the same.

CREATE OR REPLACE FUNCTION public.door_portal_redirected(customer integer, gateway integer, is_heard boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update gateways g set last_seen_at = case when is_heard then now() else g.last_seen_at end,
    redirected_at = case when not is_heard and g.last_seen_at < now() - interval '5 minutes'
      and coalesce(g.redirected_at < g.last_seen_at, true) then now() else g.redirected_at end,
    guests_sent_at = now()
  where g.customer_id = customer and g.id = gateway and g.active and g.deleted_at is null
$function$;

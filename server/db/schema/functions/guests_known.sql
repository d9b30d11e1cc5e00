-- How much is kept of these guests of the caller's customer: devices, consents, sessions, attempts, and how many are online. Shown before
-- they are erased.

CREATE OR REPLACE FUNCTION public.guests_known(guests bigint[])
 RETURNS TABLE(guests integer, devices integer, consents integer, sessions integer, attempts integer, online integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with macs as (select array_agg(distinct d.mac_address) as known from guest_devices d
    where d.customer_id = app_customer_id() and d.guest_id = any ($1))
  select
    (select count(*)::integer from guests g where g.customer_id = app_customer_id() and g.id = any ($1)),
    coalesce(cardinality(macs.known), 0),
    (select count(*)::integer from consent_records r where r.customer_id = app_customer_id() and r.guest_id = any ($1)),
    (select count(*)::integer from radius_sessions s where s.customer_id = app_customer_id() and s.guest_id = any ($1))
      + (select count(*)::integer from packed_sessions k cross join lateral unnest(k.guest_ids) as u(guest)
        where k.customer_id = app_customer_id() and k.guest_ids && $1 and u.guest = any ($1)),
    (select count(*)::integer from radius_authorisations a
      where a.customer_id = app_customer_id() and a.mac_address = any (macs.known)),
    (select count(*)::integer from radius_sessions s
      where s.customer_id = app_customer_id() and s.guest_id = any ($1) and s.stopped_at is null)
  from macs
$function$
;

grant execute on function guests_known(bigint[]) to foyer_app;

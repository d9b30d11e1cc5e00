-- Deletes passes of guests that ended more than kept_s ago, unless their device is still online there. Returns whether more is left.

CREATE OR REPLACE FUNCTION public.door_forget_passes(kept_s integer, rows_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  gone integer;
begin
  delete from access_passes p using (
    select o.id from access_passes o
    where o.expires_at < now() - make_interval(secs => kept_s) and not exists (
      select from radius_sessions s where s.customer_id = o.customer_id and s.mac_address = o.mac_address
        and s.gateway_id = o.gateway_id and s.stopped_at is null)
    order by o.expires_at limit rows_max) old
    where p.id = old.id;
  get diagnostics gone = row_count;
  return gone >= rows_max;
end $function$;

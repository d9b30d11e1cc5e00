-- Passes are forgotten as sign-in attempts are: what a guest comes back to the portal by, once nobody is online with it any more.

-- One step: at most so many rows, the oldest first. A pass of a device that is online stays, however long it is online.
create function door_forget_passes(kept_s integer, rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Redirects seen: when a gateway last sent a guest to its portal, whether or not it was heard otherwise.
alter table gateways add column guests_sent_at timestamptz;

-- Called once a minute for each gateway that sends guests. is_heard: nothing else is heard of it.
create or replace function door_portal_redirected(customer integer, gateway integer, is_heard boolean) returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update gateways g set last_seen_at = case when is_heard then now() else g.last_seen_at end,
    redirected_at = case when not is_heard and g.last_seen_at < now() - interval '5 minutes'
      and coalesce(g.redirected_at < g.last_seen_at, true) then now() else g.redirected_at end,
    guests_sent_at = now()
  where g.customer_id = customer and g.id = gateway and g.active and g.deleted_at is null
$$;

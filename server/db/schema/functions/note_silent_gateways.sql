-- Notes which gateways of a customer have fallen silent or are heard again, records gateway.silent and gateway.heard for webhooks, and
-- returns how many. Silent is who was not heard for 15 minutes and still has guests to report, or sends guests; in any case after 24 hours.
-- Called each minute, and more often for those that may have just turned.

CREATE OR REPLACE FUNCTION public.note_silent_gateways(customer integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  turned jsonb;
  kind text;
  events integer := 0;
begin
  foreach kind in array array['gateway.silent', 'gateway.heard'] loop
    with quiet as (
      select g.id, g.last_seen_at, coalesce(g.last_seen_at, g.created_at) as quiet_from, g.last_seen_at is not null or exists (
          select from gateways o where o.customer_id = customer and o.property_id = g.property_id and o.active and o.deleted_at is null
            and o.last_seen_at is not null) as is_awaited, g.property_id, g.silent_since, g.redirected_at
      from gateways g where g.customer_id = customer and g.active and g.deleted_at is null
        and (g.silent_since is not null or coalesce(g.last_seen_at, g.created_at) < app_now() - interval '15 minutes')),
    judged as (
      select q.id, q.last_seen_at, q.quiet_from, q.is_awaited and q.quiet_from < app_now() - interval '15 minutes' and (
          q.quiet_from < app_now() - interval '24 hours' or q.silent_since >= q.quiet_from
          or q.redirected_at > q.quiet_from and q.redirected_at < app_now() - interval '15 minutes'
          or holds_back(customer, q.property_id, q.id, q.quiet_from)) as is_silent
      from quiet q),
    changed as (
      update gateways g set silent_since = case when j.is_silent then j.quiet_from end from judged j
      where g.customer_id = customer and g.id = j.id and j.is_silent = (kind = 'gateway.silent')
        and (g.silent_since is not null) <> j.is_silent and g.last_seen_at is not distinct from j.last_seen_at
      returning g.id, g.property_id, g.last_seen_at)
    select jsonb_agg(jsonb_build_object('id', c.id, 'property_id', c.property_id, 'data', jsonb_build_object('last_seen_at',
      to_char(c.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))) from changed c into turned;
    if turned is not null then
      perform record_events(customer, kind, 'gateway', turned);
      events := events + jsonb_array_length(turned);
    end if;
  end loop;
  return events;
end $function$
;

grant execute on function note_silent_gateways(integer) to foyer_app;

-- What the installation's metrics show of the database: who is online, states of properties and gateways, due work, what was not delivered,
-- keys and consents that end, jobs that fail, its size in bytes. Asked by the metrics page; names no customer.

CREATE OR REPLACE FUNCTION public.door_gauges()
 RETURNS TABLE(gauge text, label text, value double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select 'sessions', 'online', coalesce(sum(s.online), 0)::float8 from property_states s
  union all
  select 'properties', s.word, count(*)::float8 from property_states s group by 2
  union all
  select 'gateways', case when g.silent_since is not null then 'silent' when g.last_seen_at is null then 'never_heard' else 'heard' end,
    count(*)::float8
  from gateways g where g.active and g.deleted_at is null and g.trial_id is null group by 2
  union all
  -- Work whose time has come; what a node is trying is leased for half a minute.
  select unnest(array['due', 'due_late', 'due_since', 'due_given_up']), d.kind, unnest(array[
    count(*) filter (where d.state in ('waiting', 'trying') and d.next_at <= now()),
    coalesce(extract(epoch from now() - min(d.next_at) filter (where d.state in ('waiting', 'trying') and d.next_at <= now())), 0),
    coalesce(extract(epoch from now() - min(d.failing_since) filter (where d.state in ('waiting', 'trying'))), 0),
    count(*) filter (where d.state in ('failed', 'unknown'))])::float8
  from due_work d group by d.kind
  union all
  select 'undelivered', u.channel || ' ' || u.why, count(*)::float8
  from customers c cross join lateral (select o.channel, o.why from undelivered o
    where o.customer_id = c.id and o.deleted_at is null and o.created_at > now() - interval '1 day') u group by 2
  union all
  select 'ending', 'api_keys', count(*)::float8 from api_keys k
  where k.deleted_at is null and k.expires_at between now() and now() + interval '7 days'
  union all
  -- Where consent was never given, none has ended.
  select 'ending', c.kind, count(*)::float8 from connections c
  where c.deleted_at is null and c.active and c.needs_reconnect and (c.own_id is not null or c.connected_at is not null) group by 2
  union all
  select 'failing_jobs', f.queue, 1 from failed_jobs f group by f.queue
  union all
  select 'database', 'size', pg_database_size(current_database())::float8
$function$;

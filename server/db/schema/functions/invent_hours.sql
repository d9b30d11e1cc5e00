-- The hourly figures of an invented operator, as the job that counts hours would have kept them. Called by invent_business.

CREATE OR REPLACE FUNCTION public.invent_hours(made_for integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  -- Hourly figures of the last weeks, as the counting job would have written them.
  insert into property_hours (customer_id, property_id, hour, online, sessions, tries, refused)
  select made_for, property_id, hour, sum(online), sum(sessions), sum(tries), sum(refused)
  from (
    select s.property_id, h.hour, count(*) filter (where s.started_at < h.hour + interval '50 minutes'
        and coalesce(s.stopped_at, now()) > h.hour + interval '30 minutes') as online,
      count(*) filter (where s.started_at >= h.hour) as sessions, 0 as tries, 0 as refused
    from radius_sessions s
    cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
    where s.customer_id = made_for
    group by 1, 2
    union all
    select property_id, date_trunc('hour', created_at, 'UTC'), 0, 0, count(*), count(*) filter (where not accepted)
    from radius_authorisations where customer_id = made_for and created_at > now() - interval '16 days' group by 1, 2
  ) counted group by property_id, hour;
  with there as (
    select s.property_id, h.hour, 1 << (s.auth_method_id - 1) as method, count(*) as online
    from radius_sessions s
    cross join lateral generate_series(date_trunc('hour', s.started_at, 'UTC'), coalesce(s.stopped_at, now()), interval '1 hour') as h(hour)
    where s.customer_id = made_for and s.started_at < h.hour + interval '50 minutes'
      and coalesce(s.stopped_at, now()) > h.hour + interval '30 minutes'
    group by 1, 2, 3
  ), combined as (
    select there.property_id, there.hour, c.methods, sum(there.online) as online
    from (select property_id, hour, bit_or(method) as methods from there group by 1, 2) as had
    cross join lateral generate_series(1, had.methods) as c(methods)
    join there on there.property_id = had.property_id and there.hour = had.hour and there.method & c.methods <> 0
    where c.methods & ~had.methods = 0
    group by 1, 2, 3
  )
  update property_hours h set online_by_methods = coalesce(c.by_methods, '{}')
  from property_hours o
  left join (select property_id, hour, jsonb_object_agg(methods, online) as by_methods from combined group by 1, 2) as c
    on c.property_id = o.property_id and c.hour = o.hour
  where h.customer_id = made_for and o.id = h.id;
  insert into customer_hours (customer_id, hour, online)
  select customer_id, hour, sum(online) from property_hours where customer_id = made_for group by customer_id, hour;
end $function$;

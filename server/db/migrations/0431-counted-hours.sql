-- Counted hours: until when the hours of each customer are counted, so that those in which no job ran are counted when one does.

create table hour_ledgers (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  counted_until timestamptz not null,
  unique (customer_id, id),
  unique (customer_id)
);
select make_tenant_table('hour_ledgers');
insert into hour_ledgers (customer_id, counted_until) select customer_id, max(hour) from customer_hours group by 1;

-- Which customers have something to count: somebody is online, a gateway is heard, or something happened since (or shortly before, for
-- late reports).
create function door_uncounted_customers(late interval) returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.id
  from customers c left join hour_ledgers l on l.customer_id = c.id
    cross join lateral (select coalesce(l.counted_until - late, '-infinity') as since) s
  where exists (select from radius_sessions t where t.customer_id = c.id and t.stopped_at is null)
    or exists (select from radius_sessions t where t.customer_id = c.id and t.stopped_at >= s.since)
    or exists (select from radius_authorisations t where t.customer_id = c.id and t.created_at >= s.since)
    or exists (select from gateways g where g.customer_id = c.id and g.last_seen_at > now() - interval '90 minutes' and g.deleted_at is null)
  order by c.id
$$;

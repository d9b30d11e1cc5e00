-- Property hours: what an hour at a property came to, kept by a job, so that a dashboard compares hours without counting
-- sessions and attempts.

-- hour: its beginning. online: how many were, at most, whenever it was counted. tries and refused: of attempts to sign in, but
-- for devices that ask before their guest has seen the sign-in page.
create table property_hours (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  hour timestamptz not null,
  online integer not null default 0,
  tries integer not null default 0,
  refused integer not null default 0,
  unique (customer_id, id),
  unique (customer_id, property_id, hour),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
) with (fillfactor = 85);
create index on property_hours (customer_id, hour) include (property_id, online, tries, refused);
select make_tenant_table('property_hours');

-- Customers of whom there may be something to count: somebody is online, or a gateway was heard of late.
create function door_counted_customers() returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct s.customer_id from radius_sessions s where s.stopped_at is null
  union select distinct g.customer_id from gateways g
    where g.last_seen_at > now() - interval '90 minutes' and g.deleted_at is null
$$;

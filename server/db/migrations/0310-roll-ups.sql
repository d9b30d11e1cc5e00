-- Roll-ups as reports need them: a day's sums also by group and MAC category, the guests of each day under pseudonyms, sessions
-- begun by the hour, and how much of a session lies in which local day.

-- How much of a session lies in each of its property's local days. Whoever sums sessions over days goes through this, and so
-- comes to what session_days holds:
--   select sum(p.seconds) from radius_sessions s cross join lateral session_parts(s.days) p where p.day between $1 and $2
-- `days` holds the highest counters that were reported on each day; a day's part is what it adds to the days before it.
-- A session whose first and last day (started_at, last_seen_at) both lie in the range is its own sum.
create function session_parts(days jsonb) returns table (day date, seconds bigint, bytes_up bigint, bytes_down bigint)
language sql immutable parallel safe as $$
  select c.day, c.seconds - coalesce(lag(c.seconds) over (order by c.day), 0),
    c.bytes_up - coalesce(lag(c.bytes_up) over (order by c.day), 0),
    c.bytes_down - coalesce(lag(c.bytes_down) over (order by c.day), 0)
  from (
    select k.key::date as day, max((k.value -> 0)::bigint) over before as seconds, max((k.value -> 1)::bigint) over before as bytes_up,
      max((k.value -> 2)::bigint) over before as bytes_down
    from jsonb_each($1) k window before as (order by k.key)
  ) c
$$;
grant execute on function session_parts(jsonb) to foyer_app;

-- group_id and mac_category_id: as they were when the session began, as it keeps them itself.
alter table session_days add column group_id integer;
alter table session_days add column mac_category_id integer;
alter table session_days drop constraint session_days_customer_id_property_id_day_auth_method_id_pac_key;
alter table session_days add constraint session_days_key
  unique nulls not distinct (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id);

-- Of the days there are, what the sessions still kept account for gets its group and category; the rest, of sessions that are
-- forgotten by now, stays without.
create temporary table known_parts on commit drop as
  select s.customer_id, s.property_id, p.day, s.auth_method_id, s.package_id, s.group_id, s.mac_category_id,
    sum(p.sessions)::integer as sessions, sum(p.seconds)::bigint as seconds, sum(p.bytes_up)::bigint as bytes_up, sum(p.bytes_down)::bigint as bytes_down
  from radius_sessions s
  join properties h on h.customer_id = s.customer_id and h.id = s.property_id
  join customers c on c.id = s.customer_id
  cross join lateral (
    select d.day, 0 as sessions, d.seconds, d.bytes_up, d.bytes_down from session_parts(s.days) d
    union all select (s.started_at at time zone coalesce(h.time_zone, c.time_zone))::date, 1, 0, 0, 0
  ) p
  where s.group_id is not null or s.mac_category_id is not null
  group by 1, 2, 3, 4, 5, 6, 7;
update session_days t set sessions = greatest(0, t.sessions - k.sessions), seconds = greatest(0, t.seconds - k.seconds),
  bytes_up = greatest(0, t.bytes_up - k.bytes_up), bytes_down = greatest(0, t.bytes_down - k.bytes_down)
from (
  select customer_id, property_id, day, auth_method_id, package_id, sum(sessions) as sessions, sum(seconds) as seconds,
    sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down
  from known_parts group by 1, 2, 3, 4, 5
) k
where t.customer_id = k.customer_id and t.property_id = k.property_id and t.day = k.day
  and t.auth_method_id is not distinct from k.auth_method_id and t.package_id is not distinct from k.package_id;
insert into session_days (customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds, bytes_up, bytes_down)
  select customer_id, property_id, day, auth_method_id, package_id, group_id, mac_category_id, sessions, seconds, bytes_up, bytes_down
  from known_parts;
delete from session_days where (sessions, seconds, bytes_up, bytes_down) = (0, 0, 0, 0);

-- What pseudonyms are made with: without it nobody tells from a pseudonym whose it is, not even by trying every device.
create table pseudonym_key (
  id integer primary key check (id = 1),
  key bytea not null
);
insert into pseudonym_key
  select 1, sha256(string_agg(uuid_send(gen_random_uuid()), '')) from generate_series(1, 4);

-- Whom a session's holder is counted as: the guest, else the account, the voucher, the registered device, else whatever device
-- it is. The same for as long as that holder is; null where nothing is known.
create function guest_pseudonym(customer integer, guest bigint, account integer, voucher bigint, device integer, mac macaddr)
returns bytea language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select substr(sha256(k.key || convert_to(customer || ' ' || case
    when guest is not null then 'guest ' || guest
    when account is not null then 'account ' || account
    when voucher is not null then 'voucher ' || voucher
    when device is not null then 'device ' || device
    else 'mac ' || mac end, 'UTF8')), 1, 16)
  from pseudonym_key k
$$;
grant execute on function guest_pseudonym(integer, bigint, integer, bigint, integer, macaddr) to foyer_app;

-- Who was online at a property on which local day: one row for each guest and way of signing in. Guests of a range of days are
-- count(distinct guest). first_seen: the first day on which this guest was ever there; by another way of signing in that day, too.
create table guest_days (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  day date not null,
  guest bytea not null,
  auth_method_id integer references auth_methods,
  first_seen boolean not null,
  unique (customer_id, id),
  unique nulls not distinct (customer_id, property_id, day, guest, auth_method_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
create index on guest_days (customer_id, day);
create index on guest_days (customer_id, guest);
select make_tenant_table('guest_days');

-- When each guest was first and last at a property. New in a range of days is whose first_day lies in it; returning, whoever was
-- there in it and is not new.
create table guest_first_days (
  id bigint generated always as identity primary key,
  customer_id integer not null references customers,
  property_id integer not null,
  guest bytea not null,
  first_day date not null,
  last_day date not null,
  unique (customer_id, id),
  unique (customer_id, property_id, guest),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
) with (fillfactor = 85);
create index on guest_first_days (customer_id, property_id, first_day);
create index on guest_first_days (customer_id, last_day);
create index on guest_first_days (customer_id, guest);
select make_tenant_table('guest_first_days');

-- From the sessions that are kept: whoever was there before them counts as new with the first of these.
insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
  select customer_id, property_id, day, guest, auth_method_id, day = min(day) over (partition by customer_id, property_id, guest)
  from (
    select distinct s.customer_id, s.property_id, p.day, s.auth_method_id,
      guest_pseudonym(s.customer_id, s.guest_id, s.account_id, s.voucher_id, s.device_id, s.mac_address) as guest
    from radius_sessions s
    join properties h on h.customer_id = s.customer_id and h.id = s.property_id
    join customers c on c.id = s.customer_id
    cross join lateral (
      select d.day from session_parts(s.days) d
      union all select (s.started_at at time zone coalesce(h.time_zone, c.time_zone))::date
    ) p
  ) seen where guest is not null;
insert into guest_first_days (customer_id, property_id, guest, first_day, last_day)
  select customer_id, property_id, guest, min(day), max(day) from guest_days group by 1, 2, 3;

-- sessions: begun in this hour. `online` is the most that were online at once in it, from the sessions themselves.
alter table property_hours add column sessions integer not null default 0;
update property_hours t set sessions = s.sessions
from (
  select customer_id, property_id, date_trunc('hour', started_at, 'UTC') as hour, count(*) as sessions
  from radius_sessions where started_at > now() - interval '60 days' group by 1, 2, 3
) s
where t.customer_id = s.customer_id and t.property_id = s.property_id and t.hour = s.hour;
create index on radius_sessions (customer_id, stopped_at) where stopped_at is not null;

-- What a guest did before an address was confirmed is the known guest's.
create function merge_guest_days(merged bigint, known bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  one constant bytea := guest_pseudonym(customer, merged, null, null, null, null);
  other constant bytea := guest_pseudonym(customer, known, null, null, null, null);
begin
  insert into guest_first_days as t (customer_id, property_id, guest, first_day, last_day)
    select customer_id, property_id, other, first_day, last_day from guest_first_days where customer_id = customer and guest = one
    on conflict (customer_id, property_id, guest) do update set
      first_day = least(t.first_day, excluded.first_day), last_day = greatest(t.last_day, excluded.last_day);
  insert into guest_days (customer_id, property_id, day, guest, auth_method_id, first_seen)
    select customer_id, property_id, day, other, auth_method_id, false from guest_days where customer_id = customer and guest = one
    on conflict (customer_id, property_id, day, guest, auth_method_id) do nothing;
  update guest_days t set first_seen = (t.day = f.first_day) from guest_first_days f
    where t.customer_id = customer and t.guest = other and f.customer_id = customer and f.property_id = t.property_id and f.guest = other;
  delete from guest_days where customer_id = customer and guest = one;
  delete from guest_first_days where customer_id = customer and guest = one;
end $$;
grant execute on function merge_guest_days(bigint, bigint) to foyer_app;

-- Of an erasure: what was counted of these guests and devices stays counted, and is nobody's any more.
create function unlink_guest_days(guests bigint[], devices macaddr[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customer constant integer := app_customer_id();
  one bytea;
  nobody bytea;
begin
  for one in
    select guest_pseudonym(customer, g, null, null, null, null) from unnest(guests) as g
    union select guest_pseudonym(customer, null, null, null, null, m) from unnest(devices) as m
    order by 1
  loop
    nobody := uuid_send(gen_random_uuid());
    update guest_first_days set guest = nobody where customer_id = customer and guest = one;
    update guest_days set guest = nobody where customer_id = customer and guest = one;
  end loop;
end $$;

-- Of the function that erases guests, these words change; whatever else has become of it stays.
do $$
declare
  before constant text := $sql$  delete from guest_devices where customer_id = customer and guest_id = any (erase_guests.guests);$sql$;
  after constant text := $sql$  perform unlink_guest_days(erase_guests.guests, devices::macaddr[]);
$sql$ || before;
  written constant text := pg_get_functiondef('erase_guests(bigint[])'::regprocedure);
begin
  if position(before in written) = 0 then raise exception 'erase_guests forgets devices in another way'; end if;
  execute replace(written, before, after);
end $$;

-- One step: who was there on days whose sessions are forgotten, at most so many rows. A guest who still comes is not new again.
create function door_forget_guest_days(kept_s integer, rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  until constant date := (now() - make_interval(secs => kept_s))::date - 1;
  customer integer;
  gone integer;
  most integer := 0;
begin
  for customer in select id from customers loop
    delete from guest_days t using (
      select o.id from guest_days o where o.customer_id = customer and o.day < until order by o.day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
    delete from guest_first_days t using (
      select o.id from guest_first_days o where o.customer_id = customer and o.last_day < until order by o.last_day limit rows_max) old
      where t.customer_id = customer and t.id = old.id;
    get diagnostics gone = row_count;
    most := greatest(most, gone);
  end loop;
  return most >= rows_max;
end $$;

-- Outages: times in which guests of a property could not get online, each told to those who want it once when it begins and once when it is
-- over.

-- outage_mails: wants to be told. quiet_from, quiet_until: not between these times of the company's day.
alter table users add column outage_mails boolean not null default false, add column quiet_from time, add column quiet_until time;

-- calm_since: when guests could get online again; after half an hour of that it is over, so that one which comes back is the same.
create table outages (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  property_id integer not null,
  began_at timestamptz not null,
  calm_since timestamptz,
  ended_at timestamptz,
  unique (customer_id, id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('outages');
create index on outages (customer_id, property_id);
create unique index outages_open on outages (customer_id, property_id) where ended_at is null;

-- Who was told of it.
create table outage_notices (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  outage_id integer not null,
  user_id integer not null,
  told_at timestamptz not null default now(),
  over_told_at timestamptz,
  unique (customer_id, id),
  constraint outage_notices_once unique (customer_id, outage_id, user_id),
  foreign key (customer_id, outage_id) references outages (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
select make_tenant_table('outage_notices');
create index on outage_notices (customer_id, user_id);

-- Outages begin, calm down and end by the states of their properties.
create function note_outages(customer integer) returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into outages as o (customer_id, property_id, began_at)
  select s.customer_id, s.property_id, s.since from property_states s
  where s.customer_id = customer and s.word in ('silent', 'refusing', 'link_down') order by s.property_id
  on conflict (customer_id, property_id) where ended_at is null do update set calm_since = null where o.calm_since is not null;
  update outages o set calm_since = app_now() where o.customer_id = customer and o.ended_at is null and o.calm_since is null
    and not exists (select from property_states s where s.customer_id = customer and s.property_id = o.property_id
      and s.word in ('silent', 'refusing', 'link_down'));
  update outages o set ended_at = o.calm_since where o.customer_id = customer and o.ended_at is null
    and o.calm_since < app_now() - interval '30 minutes';
end $$;
grant execute on function note_outages(integer) to foyer_app;

-- The links of a property to the systems that know who stays there, as far as they are down. Any other code asks this.
create or replace function links_down(customer integer, which integer[])
  returns table (property_id integer, name text, since timestamptz)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.id, coalesce(i.name, k.name), l.since
  from properties p
  join property_interfaces i on i.customer_id = customer and (i.property_id = p.id or i.group_id = p.group_id)
    and i.active and i.deleted_at is null
  join property_links l on l.customer_id = customer and l.property_interface_id = i.id and l.state = 'down'
  join property_interface_types k on k.id = i.property_interface_type_id
  where p.customer_id = customer and p.id = any (which)
$$;

-- States of properties: one word for each active property, reckoned in one place (property_states_now) and kept beside it, so that lists
-- can be filtered and sorted by it whatever happens at the properties.

-- since: since when the word applies. sentence: what is wrong and what to do. online: guests online. suffering: guests who cannot get
-- online, or could not in the last hour. Properties that are drafts, disabled or removed have no row.
create table property_states (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  property_id integer not null,
  word text not null check (word in ('never_heard', 'silent', 'refusing', 'link_down', 'incomplete', 'codes_out', 'nights_late', 'served')),
  severity smallint not null generated always as (array_position(array['never_heard', 'silent', 'refusing', 'link_down', 'incomplete',
    'codes_out', 'nights_late', 'served'], word)) stored,
  since timestamptz not null,
  sentence text not null,
  online integer not null default 0,
  suffering integer not null default 0,
  unique (customer_id, id),
  unique (customer_id, property_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('property_states');
create index on property_states (customer_id, word);

-- silent_since: when it was last heard, while it counts as silent. redirected_at: when a guest was sent to the portal after it was last
-- heard.
alter table gateways add column silent_since timestamptz, add column redirected_at timestamptz;

-- Gateways that have fallen silent, and those that are heard again; each is an event. Silent: nothing for 15 minutes although guests were
-- online, or since a guest was sent to the portal; else for 24 hours. One that was never heard counts where others of its property are.
create function note_silent_gateways(customer integer) returns integer language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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
          or exists (select from radius_sessions s where s.customer_id = customer and s.property_id = q.property_id
            and s.gateway_id = q.id and s.stopped_at is null)
          -- Those that were given up since, because nothing was reported of them any more.
          or exists (select from radius_sessions s where s.customer_id = customer and s.stopped_at > q.quiet_from - interval '1 hour'
            and s.gateway_id = q.id and s.stop_inferred)) as is_silent
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
end $$;

-- The links of a property to the systems that know who stays there, as far as they are down. Any other code asks this.
create function links_down(customer integer, which integer[]) returns table (property_id integer, name text, since timestamptz)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select p.id, coalesce(i.name, k.name), coalesce(i.last_seen_at, i.created_at)
  from properties p
  join property_interfaces i on i.customer_id = customer and (i.property_id = p.id or i.group_id = p.group_id)
    and i.active and i.deleted_at is null and i.last_error is not null
  join property_interface_types k on k.id = i.property_interface_type_id
  where p.customer_id = customer and p.id = any (which)
$$;

-- The gateway Lobby; the gateways Lobby, Tower, Pool and 2 more.
create function some_gateways(names text[]) returns text language sql immutable as $$
  select case when cardinality(names) = 1 then 'The gateway ' else 'The gateways ' end || case
    when cardinality(names) > 3 then array_to_string(names[1:3], ', ') || ' and ' || cardinality(names) - 3 || ' more'
    else regexp_replace(array_to_string(names, ', '), ', ([^,]*)$', ' and \1') end
$$;

-- The state of each of these properties that is active: the one place where it is reckoned. The worst word applies, in the order in which
-- they stand. since: null where it applies since it was found.
create function property_states_now(customer integer, which integer[])
  returns table (property_id integer, word text, since timestamptz, sentence text, online integer, suffering integer)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with places as (
    select p.id, p.group_id, p.portal_id, p.package_id, p.time_zone from properties p
    where p.customer_id = customer and p.id = any (which) and p.active and not p.draft and p.deleted_at is null),
  boxes as (
    select g.property_id, count(*) as boxes, count(g.last_seen_at) as heard, count(g.silent_since) as silent,
      min(g.silent_since) as silent_since, min(g.created_at) as made_at,
      array_agg(coalesce(g.name, g.nas_identifier) order by g.silent_since, g.id) filter (where g.silent_since is not null) as silent_names,
      array_agg(coalesce(g.name, g.nas_identifier) order by g.id) as names,
      min(g.refused_for) filter (where g.refused_at > app_now() - interval '1 day' and g.refused_at > coalesce(g.last_seen_at, '-infinity')
        and (g.last_seen_at is null or g.silent_since is not null)) as refused_for
    from gateways g where g.customer_id = customer and g.property_id = any (which) and g.active and g.deleted_at is null group by 1),
  there as (
    select s.property_id, count(*)::integer as online from radius_sessions s
    where s.customer_id = customer and s.property_id = any (which) and s.stopped_at is null group by 1),
  a_week_ago as (
    select h.property_id, h.online from property_hours h where h.customer_id = customer and h.property_id = any (which)
      and h.hour = date_trunc('hour', app_now(), 'UTC') - interval '7 days'),
  -- Devices whose guest has not seen the sign-in page yet do not count.
  tried as (
    select a.property_id, count(*) as tries, count(*) filter (where not a.accepted) as refused,
      count(distinct coalesce(a.mac_address::text, a.identifier)) filter (where not a.accepted)::integer as devices
    from radius_authorisations a
    where a.customer_id = customer and a.property_id = any (which) and a.created_at > app_now() - interval '1 hour'
      and a.reason <> 'unknown_device' group by 1),
  links as (
    select l.property_id, min(l.since) as since, string_agg(l.name, ', ' order by l.since, l.name) as names
    from links_down(customer, which) l group by 1),
  codes as (
    select b.property_id, sum(b.quantity - b.redeemed) as left from voucher_batches b
    where b.customer_id = customer and b.property_id = any (which) and b.active and b.deleted_at is null
      and (b.expires_at is null or b.expires_at > app_now()) group by 1),
  nights as (
    select n.property_id, n.kept_until, local_day(app_now(), p.time_zone) - 1 - n.kept_until as late
    from night_ledgers n join places p on p.id = n.property_id
    where n.customer_id = customer and n.kept_until + 2 <= local_day(app_now() - interval '1 hour', p.time_zone)),
  judged as (
    select p.id, p.time_zone, coalesce(t.online, 0) as online, w.online as online_before, b, r, l, n,
      array_remove(array[case when b.property_id is null then 'gateway' end, case when p.portal_id is null then 'portal' end,
        case when p.package_id is null then 'package' end], null) as lacks,
      case when b.heard = 0 then 'never_heard' when b.silent > 0 then 'silent'
        when r.tries >= 10 and r.refused >= 0.3 * r.tries then 'refusing' when l.property_id is not null then 'link_down'
        when b.property_id is null or p.portal_id is null or p.package_id is null then 'incomplete'
        when c.left = 0 and not exists (select from voucher_batches g where g.customer_id = customer and g.group_id = p.group_id
          and g.property_id is null and g.active and g.deleted_at is null and (g.expires_at is null or g.expires_at > app_now())
          and g.redeemed < g.quantity) then 'codes_out'
        when n.property_id is not null then 'nights_late' else 'served' end as word
    from places p left join boxes b on b.property_id = p.id left join there t on t.property_id = p.id
    left join a_week_ago w on w.property_id = p.id left join tried r on r.property_id = p.id left join links l on l.property_id = p.id
    left join codes c on c.property_id = p.id left join nights n on n.property_id = p.id)
  select j.id, j.word,
    case j.word when 'never_heard' then (j.b).made_at when 'silent' then (j.b).silent_since when 'link_down' then (j.l).since
      when 'nights_late' then day_begins((j.n).kept_until + 2, j.time_zone) end,
    case j.word
      when 'never_heard' then some_gateways((j.b).names) || case (j.b).refused_for
        when 'wrong_secret' then ' asks with another secret than ours. Make a new secret on its page and enter it there.'
        when 'unsigned' then ' does not sign what it asks. Update its software, or mark it as old on its page.'
        else case when (j.b).boxes = 1 then ' has' else ' have' end || ' never been heard from. Set it up as its page says.' end
      when 'silent' then some_gateways((j.b).silent_names) || case (j.b).refused_for
        when 'wrong_secret' then ' asks with another secret than ours. Make a new secret on its page and enter it there.'
        when 'unsigned' then ' does not sign what it asks any more. Mark it as old on its page, or set it up again.'
        else case when (j.b).silent = 1 then ' has' else ' have' end
          || ' not been heard from. Check power and line there: guests behind it cannot get online.' end
      when 'refusing' then format('%s of %s sign-ins of the last hour were refused. The sign-in attempts say why.',
        (j.r).refused, (j.r).tries)
      when 'link_down' then format('The link to %s is down: arrivals and departures are not known. Its page says why.', (j.l).names)
      when 'incomplete' then format('It has no %s. Choose one, so that guests get online.',
        regexp_replace(array_to_string(j.lacks, ', no '), ', (no \w+)$', ' and \1'))
      when 'codes_out' then 'All of its voucher codes have been used. Make more.'
      when 'nights_late' then format('%s not written down yet, so they cannot be billed. The server''s log says why.',
        case when (j.n).late = 1 then '1 night is' else (j.n).late || ' nights are' end)
      else 'Guests can get online.' end,
    j.online,
    case j.word when 'silent' then greatest(j.online, coalesce(j.online_before, 0)) when 'refusing' then (j.r).devices else 0 end
  from judged j
$$;

-- Keeps the states of these properties. A row that somebody else keeps at this moment is left to them: nobody waits here, so that it may
-- be called in any transaction.
create function keep_property_states(customer integer, which integer[]) returns void language sql
  set search_path = pg_catalog, public, pg_temp as $$
  with found as materialized (select * from property_states_now(customer, which)),
  held as materialized (
    select s.id, s.property_id, f.property_id is null as is_gone from property_states s left join found f on f.property_id = s.property_id
    where s.customer_id = customer and s.property_id = any (which) and (f.property_id is null
      or (f.word, f.sentence, f.online, f.suffering, coalesce(f.since, s.since))
        is distinct from (s.word, s.sentence, s.online, s.suffering, s.since))
    for update of s skip locked),
  gone as (delete from property_states s using held h where s.id = h.id and h.is_gone),
  changed as (
    update property_states s set word = f.word, sentence = f.sentence, online = f.online, suffering = f.suffering,
      since = coalesce(f.since, case when s.word = f.word then s.since else app_now() end)
    from held h join found f on f.property_id = h.property_id where s.id = h.id)
  insert into property_states (customer_id, property_id, word, since, sentence, online, suffering)
  select customer, f.property_id, f.word, coalesce(f.since, app_now()), f.sentence, f.online, f.suffering from found f
  where not exists (select from property_states s where s.customer_id = customer and s.property_id = f.property_id)
  order by f.property_id on conflict (customer_id, property_id) do nothing
$$;
grant execute on function note_silent_gateways(integer), links_down(integer, integer[]), some_gateways(text[]), property_states_now(integer, integer[]),
  keep_property_states(integer, integer[]) to foyer_app;

-- What people change shows at once; what only time changes, within a minute (server/sessions/property-states.ts).
create function keep_states_of_properties() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, array_agg(n.id) as ids from new_rows n group by 1 loop
      perform keep_property_states(mine.customer_id, mine.ids);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, array_agg(n.id) as ids from new_rows n join old_rows o on o.id = n.id
    where (n.portal_id, n.package_id, n.group_id, n.active, n.draft, n.deleted_at)
      is distinct from (o.portal_id, o.package_id, o.group_id, o.active, o.draft, o.deleted_at) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $$;
create trigger properties_made_states after insert on properties referencing new table as new_rows for each statement
  execute function keep_states_of_properties();
create trigger properties_changed_states after update on properties referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_properties();

create function keep_states_of_gateways() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, array_agg(distinct n.property_id) as ids from new_rows n group by 1 loop
      perform keep_property_states(mine.customer_id, mine.ids);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, array_agg(distinct place.id) as ids from new_rows n join old_rows o on o.id = n.id
    cross join lateral (values (n.property_id), (o.property_id)) as place(id)
    where (n.property_id, n.name, n.active, n.deleted_at, n.silent_since is null, n.last_seen_at is null)
      is distinct from (o.property_id, o.name, o.active, o.deleted_at, o.silent_since is null, o.last_seen_at is null) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $$;
create trigger gateways_made_states after insert on gateways referencing new table as new_rows for each statement
  execute function keep_states_of_gateways();
create trigger gateways_changed_states after update on gateways referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_gateways();

-- A guest was sent to the portal by a gateway. One that uses no RADIUS is heard by that; of others the first one after they fell quiet is
-- noted.
create function door_portal_redirected(customer integer, gateway integer, is_heard boolean) returns void language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$
  update gateways g set last_seen_at = case when is_heard then now() else g.last_seen_at end,
    redirected_at = case when is_heard then g.redirected_at else now() end
  where g.customer_id = customer and g.id = gateway and g.active and g.deleted_at is null
    and (is_heard or g.last_seen_at < now() - interval '5 minutes' and coalesce(g.redirected_at < g.last_seen_at, true))
$$;

-- Customers whose properties have a state.
create function door_customers_of_states() returns table (customer_id integer) language sql stable security definer
  set search_path = pg_catalog, public, pg_temp as $$
  select distinct p.customer_id from properties p where p.status = 'active' and p.deleted_at is null order by 1
$$;

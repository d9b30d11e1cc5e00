-- Trials are left out of every table of customers that does not keep their marks. Some tables at a time: a transaction holds the locks of
-- all that it has reached.
create function leave_trials_out_before(next text) returns void language sql as $$
  select leave_trials_out(format('%I.%I', p.schemaname, p.tablename)::regclass) from pg_policies p
  where p.policyname = 'app_sees_its_customer' and p.tablename::text collate "C" < next and p.tablename not in (
      select q.tablename from pg_policies q where q.policyname = 'trials_stand_apart')
    and not exists (select from pg_trigger t where t.tgname = 'trials_change_nothing'
      and t.tgrelid = format('%I.%I', p.schemaname, p.tablename)::regclass)
    order by p.tablename
$$;
select leave_trials_out_before('c');
select make_refusing_trials('accounts', '');

-- Everything that bears the mark goes, in whatever tables there are. Must be called outside of the trial.
create function end_trial(customer integer, gateway integer) returns void language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  kept text;
begin
  perform see_trials(true);
  update trials t set gateway_id = null where t.customer_id = customer and t.gateway_id = gateway;
  for kept in select a.attrelid::regclass::text from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'trial_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by a.attrelid::regclass = 'gateways'::regclass, 1
  loop
    execute format('delete from %s where customer_id = $1 and trial_id = $2', kept) using customer, gateway;
  end loop;
  perform see_trials(false);
end $$;

-- A simulated gateway at the property, until the time given. The trial before, if one runs, is over.
create function begin_trial(customer integer, property integer, called text, page text, ends timestamptz) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made integer := nextval(pg_get_serial_sequence('gateways', 'id'));
  before integer;
begin
  insert into trials (customer_id, property_id, gateway_id, ends_at) values (customer, property, null, ends)
    on conflict (customer_id, property_id) do nothing;
  select t.gateway_id into before from trials t where t.customer_id = customer and t.property_id = property for no key update;
  if before is not null then perform end_trial(customer, before); end if;
  update trials t set gateway_id = made, begun_at = now(), ends_at = ends where t.customer_id = customer and t.property_id = property;
  perform set_config('app.trial_id', made::text, true);
  insert into gateways (id, customer_id, property_id, gateway_type_id, name, nas_identifier, dns_name) overriding system value
    values (made, customer, property, 1000, 'Trial', called, page);
  perform set_config('app.trial_id', '', true);
  return made;
end $$;

-- For the app: within its customer.
create function start_trial(property integer, called text, page text, ends timestamptz) returns integer language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$ select begin_trial(app_customer_id(), property, called, page, ends) $$;
create function stop_trial(gateway integer) returns void language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$ select end_trial(app_customer_id(), gateway) $$;
grant execute on function start_trial(integer, text, text, timestamptz), stop_trial(integer) to foyer_app;

-- Ends those whose time is over; returns how many there were.
create function door_end_trials() returns integer language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  one record;
  ended integer := 0;
begin
  for one in select t.customer_id, t.gateway_id from trials t where t.gateway_id is not null and t.ends_at <= now() order by t.id
    for no key update skip locked
  loop
    perform end_trial(one.customer_id, one.gateway_id);
    ended := ended + 1;
  end loop;
  return ended;
end $$;

-- The simulated gateway that is called so, while its trial runs.
create function door_trial(called text) returns table (customer_id integer, id integer, property_id integer, property_name text,
    public_id text, sealed_radius_secret bytea, ends_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  perform see_trials(true);
  return query select g.customer_id, g.id, g.property_id, h.name, p.public_id, s.sealed_radius_secret, t.ends_at
  from gateways g
  join trials t on t.customer_id = g.customer_id and t.gateway_id = g.id and t.ends_at > now()
  join gateway_secrets s on s.customer_id = g.customer_id and s.gateway_id = g.id and s.sealed_radius_secret is not null
  join properties h on h.customer_id = g.customer_id and h.id = g.property_id and h.deleted_at is null
  join customers c on c.id = g.customer_id and c.active and c.deleted_at is null
  left join portals p on p.customer_id = h.customer_id and p.id = h.portal_id and p.status = 'active' and p.deleted_at is null
  where g.nas_identifier = called and g.trial_id is not null and g.deleted_at is null;
end $$;

-- A guest of the trial is online: the property has been tried.
create function door_tried(gateway integer) returns void language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update trials t set tried_at = coalesce(t.tried_at, now()) where t.gateway_id = gateway
$$;

-- It stands in no list, and nobody can choose it (server/resources/gateways.ts).
insert into gateway_types (id, name) values (1000, 'Trial') on conflict do nothing;

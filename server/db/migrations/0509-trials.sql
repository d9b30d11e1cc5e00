-- Trials: a property's portal tried as a guest, at a simulated gateway. What a trial brings about bears its mark (trial_id, the id of
-- that gateway), which row security hides from everybody else, the owner's functions among them; and what is there already it leaves as
-- it is (decision 154).

-- The trial that the transaction belongs to; null in all others.
create function app_trial_id() returns integer language sql stable parallel safe
  return nullif(current_setting('app.trial_id', true), '')::integer;
-- For functions of the owner that look for a gateway or a pass before it is known whose it is, and for those that take a trial away. It
-- holds until the transaction ends; only PostgreSQL's superusers may declare it for a function.
create function see_trials(seen boolean) returns void language sql set search_path = pg_catalog, public, pg_temp as $$
  select set_config('app.trials', case when seen then 'seen' else '' end, true)
$$;
create function app_sees_trials() returns boolean language sql stable parallel safe
  return coalesce(current_setting('app.trials', true), '') = 'seen';
grant execute on function app_trial_id(), app_sees_trials() to foyer_app;

-- tried_at: when the first guest of a trial was online at the property. gateway_id: of the trial that runs.
create table trials (
  id integer generated always as identity primary key,
  customer_id integer not null references customers (id),
  property_id integer not null,
  gateway_id integer,
  begun_at timestamptz not null default now(),
  ends_at timestamptz not null,
  tried_at timestamptz,
  unique (customer_id, id),
  unique (customer_id, property_id),
  foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade
);
select make_tenant_table('trials');
create index on trials (ends_at) where gateway_id is not null;

-- A trial leaves alone what it has not made itself.
create function leave_alone() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  return null;
end $$;

-- The table keeps what trials bring about, under their mark. Everybody else sees the table without it.
create function make_trial_table(kept regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s add column if not exists trial_id integer', kept);
  execute format('alter table %s alter column trial_id set default app_trial_id()', kept);
  execute format('create policy trials_stand_apart on %s as restrictive
                    using (trial_id is null or trial_id = (select app_trial_id()) or (select app_sees_trials()))
                    with check (trial_id is null or trial_id = (select app_trial_id()) or (select app_sees_trials()))', kept);
  execute format('create trigger trials_change_their_own before update or delete on %s for each row
                    when (app_trial_id() is not null and old.trial_id is null) execute function leave_alone()', kept);
end $$;

-- The same for tables that are written with each sign-in: a trigger before an update has PostgreSQL work out every generated column again.
-- What a trial would change there, and is not its own, is refused.
create function make_refusing_trials(written regclass, own text) returns void language plpgsql as $$
declare
  guard name := (select t.tgname from pg_trigger t where t.tgrelid = written and t.tgname in ('trials_change_their_own', 'trials_change_nothing'));
begin
  execute format('create or replace trigger %I before %s delete on %s for each row when (app_trial_id() is not null %s)
                    execute function leave_alone()', guard, case guard when 'trials_change_nothing' then 'insert or' else '' end, written,
                    case guard when 'trials_change_nothing' then '' else 'and old.trial_id is null' end);
  execute format('create policy trials_refused on %s as restrictive for update using (true)
                    with check ((select app_trial_id()) is null %s)', written, own);
end $$;

-- Any other table of customers keeps nothing of a trial.
create function leave_trials_out(other regclass) returns void language plpgsql as $$
begin
  execute format('create trigger trials_change_nothing before insert or update or delete on %s for each row
                    when (app_trial_id() is not null) execute function leave_alone()', other);
end $$;

create or replace function make_tenant_table(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s alter column customer_id set default app_customer_id()', tenant_table);
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy owner_sees_all on %s to foyer_owner using (true) with check (true)', tenant_table);
  execute format('create policy app_sees_its_customer on %s to foyer_app
                    using (customer_id = (select app_customer_id()))
                    with check (customer_id = (select app_customer_id()))', tenant_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', tenant_table);
  perform leave_trials_out(tenant_table);
end $$;

-- Owners of schedules: a schedule runs within the rights that its owner has at present, and rests where they end.

-- user_id is the owner; api_key_id: the key with which it was saved, which belongs to the owner. paused_for: why it rests; one from
-- before that has failed. owner_checked_at: null where something that the owner's
-- rights, or what it names, depend on has changed since.
alter table reports
  add column api_key_id integer,
  add column paused_for text check (paused_for in ('owner_left', 'owner_lowered', 'owner_reach', 'failed')),
  add column only_if_rows boolean not null default false,
  add column owner_checked_at timestamptz,
  add foreign key (customer_id, api_key_id) references api_keys (customer_id, id) on delete set null (api_key_id);
create index on reports (customer_id, api_key_id) where api_key_id is not null;
create index reports_unchecked on reports (id)
  where deleted_at is null and scheduled and active and not draft and paused_at is null and owner_checked_at is null;

-- Who asked for a run, where a program did.
alter table report_runs
  add column api_key_id integer,
  add foreign key (customer_id, api_key_id) references api_keys (customer_id, id) on delete set null (api_key_id);
create index on report_runs (customer_id, api_key_id) where api_key_id is not null;

-- Whatever changes somebody's rights, or removes what a report may name, has the customer's schedules checked within a minute.
create function recheck_schedules() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update reports set owner_checked_at = null
    where customer_id = new.customer_id and deleted_at is null and scheduled and owner_checked_at is not null;
  return null;
end $$;
create trigger schedules_follow_their_owner after update of login_id, group_id, property_id, package_id, user_type_id, active, draft,
  deleted_at on users for each row
  when ((old.login_id, old.group_id, old.property_id, old.package_id, old.user_type_id, old.active, old.draft, old.deleted_at)
    is distinct from (new.login_id, new.group_id, new.property_id, new.package_id, new.user_type_id, new.active, new.draft,
      new.deleted_at))
  execute function recheck_schedules();
do $$
declare
  named text;
begin
  foreach named in array array['api_keys', 'collections', 'groups', 'mac_categories', 'packages', 'properties'] loop
    execute format('create trigger schedules_follow_what_they_name after update of deleted_at on %I for each row
      when (old.deleted_at is distinct from new.deleted_at) execute function recheck_schedules()', named);
  end loop;
end $$;

-- Schedules to be checked, and those whose key has run out.
create function door_unchecked_schedules(rows_max integer) returns table (customer_id integer, report_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.customer_id, r.id from reports r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.deleted_at is null and r.scheduled and r.active and not r.draft and r.paused_at is null
    and (r.owner_checked_at is null or r.id in (
      select s.id from reports s join api_keys k on k.customer_id = s.customer_id and k.id = s.api_key_id
      where s.api_key_id is not null and k.expires_at <= now()))
  order by r.id limit rows_max
$$;
grant execute on function door_unchecked_schedules(integer) to foyer_app;

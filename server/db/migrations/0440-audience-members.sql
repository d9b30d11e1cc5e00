-- Audience members: each is tried for itself, and whoever agrees, withdraws or is erased is told to the provider within minutes.

-- due_at: when it is tried next; null: as soon as it waits. provider_state: how the provider knows them, in its own words.
-- returns: they left, and agreed again. sent_as: a digest of the names that were sent.
alter table marketing_members
  add column due_at timestamptz,
  add column provider_state text,
  add column returns boolean not null default false,
  add column sent_as text;
create index on marketing_members (customer_id, marketing_integration_id, due_at) where due_at is not null;

-- Until when changes of consents have been looked at.
alter table marketing_integrations add column looked_at timestamptz;

-- Customers of whom an audience is to be told something. Two minutes are looked at again: a transaction is seen when it ends.
create function door_due_audiences(rows_max integer) returns table (customer_id integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.id from customers c
  where c.active and c.deleted_at is null and exists (select from marketing_integrations i
    where i.customer_id = c.id and i.deleted_at is null and i.active and i.audience_id is not null and not i.needs_reconnect
      and i.failures = 0 and i.changes_since is not null
      and (exists (select from consent_records r where r.customer_id = i.customer_id and r.purpose = 'marketing_email'
          and greatest(r.created_at, r.confirmed_at, r.withdrawn_at) > coalesce(i.looked_at, '-infinity') - interval '2 minutes')
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.state in ('waiting', 'leaving') and coalesce(m.due_at, m.created_at) <= now())
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.due_at <= now() and m.state = 'sent')
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.consent_record_id is null and m.state <> 'leaving' and not exists (
            select from guests g where g.customer_id = m.customer_id and g.id = m.guest_id and g.deleted_at is null))))
  limit rows_max
$$;
grant execute on function door_due_audiences(integer) to foyer_app;

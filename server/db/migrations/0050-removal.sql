-- Removal: a property is gone at once, and what goes with it is marked afterwards, a few thousand rows at a time.

-- When the last of what went with a removed property was marked. Until then its rows are out of reach because it is.
alter table properties add dependents_removed_at timestamptz;
update properties set dependents_removed_at = deleted_at where deleted_at is not null;
-- Nearly always empty: every read of what hangs on a property looks here.
create index properties_being_removed on properties (customer_id) where deleted_at is not null and dependents_removed_at is null;

-- Takes one step for one property of any customer: marks up to `rows_max` rows that go with it, or notes that none is
-- left. Answers whether it did anything. A second node passes over the property that a first one holds; whoever comes after
-- one that was killed goes on where it stopped.
create function door_removals(rows_max integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone record;
  entity text;
  marked integer;
begin
  select p.customer_id, p.id, p.deleted_at into gone from properties p
    where p.deleted_at is not null and p.dependents_removed_at is null
    order by p.id limit 1 for no key update skip locked;
  if not found then return false; end if;
  -- The tables of `goWithProperty` in server/access/tenancy.ts.
  foreach entity in array array['accounts', 'devices', 'rooms', 'voucher_batches'] loop
    execute format('update %1$I set deleted_at = $1 where customer_id = $2 and id in (
      select id from %1$I where customer_id = $2 and property_id = $3 and deleted_at is null limit $4)', entity)
      using gone.deleted_at, gone.customer_id, gone.id, rows_max;
    get diagnostics marked = row_count;
    if marked > 0 then return true; end if;
  end loop;
  update properties set dependents_removed_at = now() where customer_id = gone.customer_id and id = gone.id;
  return true;
end $$;
grant execute on function door_removals(integer) to foyer_app;

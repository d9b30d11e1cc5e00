-- The state of a property follows its portal: one that is disabled, or a draft again, shows guests no page.

create function keep_states_of_portals() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  for mine in select p.customer_id, array_agg(p.id) as ids from new_rows n join old_rows o on o.id = n.id
    join properties p on p.customer_id = n.customer_id and p.portal_id = n.id
    where (n.name, n.active, n.draft) is distinct from (o.name, o.active, o.draft) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $$;
create trigger portals_changed_states after update on portals referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_portals();

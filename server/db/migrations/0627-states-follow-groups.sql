-- The state of a property without a portal of its own follows its group's.

create function keep_states_of_groups() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mine record;
begin
  for mine in select p.customer_id, array_agg(p.id) as ids from new_rows n join old_rows o on o.id = n.id
    join properties p on p.customer_id = n.customer_id and p.group_id = n.id and p.portal_id is null
    where n.portal_id is distinct from o.portal_id group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $$;
create trigger groups_changed_states after update on groups referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_groups();

-- Collections of a group: whose a collection is, and that a group's own keeps to that group's properties and people.

-- Without a group it is the customer's.
alter table collections add column group_id integer;
alter table collections add foreign key (customer_id, group_id) references groups (customer_id, id) on delete cascade;
create index on collections (customer_id, group_id, created_at desc, id desc) where deleted_at is null;
create index on collections (customer_id, name, id) where deleted_at is null;

-- What leaves a group leaves the group's collections, whichever call has moved it: the property and the people who work
-- there. The customer's collections go across groups and keep both.
create function leave_collections_of_group() returns trigger language plpgsql as $$
begin
  delete from collection_properties as m using collections as c
    where m.customer_id = new.customer_id and m.property_id = new.id
      and c.customer_id = m.customer_id and c.id = m.collection_id and c.group_id <> coalesce(new.group_id, 0);
  delete from collection_users as m using collections as c, users as u
    where u.customer_id = new.customer_id and u.property_id = new.id and m.customer_id = u.customer_id and m.user_id = u.id
      and c.customer_id = m.customer_id and c.id = m.collection_id and c.group_id <> coalesce(new.group_id, 0);
  return null;
end $$;
create trigger leave_collections_of_group after update of group_id on properties
  for each row when (new.group_id is distinct from old.group_id) execute function leave_collections_of_group();

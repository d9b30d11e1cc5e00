-- Property systems are connections: each interface is noted in the table of all, as the books and audiences are. How its link does is read
-- where that is kept. What was there before is noted by a backfill.

alter table connections
  add column owner_package_id integer,
  add foreign key (customer_id, owner_package_id) references packages (customer_id, id) on delete cascade;
create index on connections (customer_id, owner_package_id) where owner_package_id is not null;
comment on column connections.owner_package_id is 'The package that owns it: of property systems alone.';

create function note_property_interface() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from connections where customer_id = old.customer_id and kind = 'property' and own_id = old.id;
    return null;
  end if;
  insert into connections as c (customer_id, group_id, property_id, owner_package_id, kind, own_id, integration_type, name, connected_at,
      active, created_at, deleted_at)
    values (new.customer_id, new.group_id, new.property_id, new.owner_package_id, 'property', new.id,
      new.property_interface_type_id::text, new.name, new.created_at, new.active, new.created_at, new.deleted_at)
    on conflict (customer_id, kind, own_id) do update set group_id = excluded.group_id, property_id = excluded.property_id,
      owner_package_id = excluded.owner_package_id, integration_type = excluded.integration_type, name = excluded.name,
      active = excluded.active, deleted_at = excluded.deleted_at;
  return null;
end $$;
create trigger noted_as_connections
  after insert or delete or update of group_id, property_id, owner_package_id, property_interface_type_id, name, active, deleted_at
  on property_interfaces for each row execute function note_property_interface();

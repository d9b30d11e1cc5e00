-- Trigger of property interfaces: keeps their line in the list of all connections.

CREATE OR REPLACE FUNCTION public.note_property_interface()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
end $function$;

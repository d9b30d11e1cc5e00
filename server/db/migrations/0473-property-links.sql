-- Property links: which interfaces no node keeps, and the secrets of those that one keeps.

-- Interfaces of these kinds that no node keeps: never kept, let go, or of a node that fell silent.
create function door_free_links(types integer[]) returns table (customer_id integer, id integer)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.customer_id, i.id from property_interfaces i
  left join property_links l on l.customer_id = i.customer_id and l.property_interface_id = i.id
  where i.property_interface_type_id = any (types) and i.active and i.deleted_at is null and i.host is not null
    and (l.held_until is null or l.held_until < now())
  order by random() limit 200
$$;

-- The secrets of an interface's settings, sealed, for the customer who is at work.
create function interface_secrets(interface_id integer) returns table (key text, sealed_value bytea)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.key, s.sealed_value from property_interface_setting_secrets s
  where s.customer_id = app_customer_id() and s.property_interface_id = interface_id
$$;
grant execute on function interface_secrets(integer) to foyer_app;

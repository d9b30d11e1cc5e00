-- Asking: interfaces to systems that are asked for all stays, and that nobody asks yet.
create function door_unasked_interfaces(types integer[], work text) returns table (customer_id integer, id integer)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.customer_id, i.id from property_interfaces i
  where i.property_interface_type_id = any (types) and i.active and i.deleted_at is null and i.host is not null
    and not exists (select from due_work d where d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id)
  order by i.id limit 500
$$;

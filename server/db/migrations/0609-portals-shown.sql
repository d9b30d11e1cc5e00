-- The portal that a guest at an address is shown: where it is known at which property they are, that property's.

create function door_portal_shown(asked text, property integer)
returns table (id integer, public_id text, portal_type_id integer, custom_portal_url text, page text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.id, p.public_id, d.portal_type_id, d.custom_portal_url, d.page
  from portals a
  left join properties h on h.customer_id = a.customer_id and h.id = property
  join portals p on p.customer_id = a.customer_id and p.id = coalesce(h.portal_id, a.id)
  cross join lateral door_portal(p.public_id) d
  where a.public_id = asked and a.deleted_at is null
$$;

-- The portal that a guest at this property is shown, with what its page is drawn from: that of the property or its group, and the one that
-- was asked for where these have none.

CREATE OR REPLACE FUNCTION public.door_portal_shown(asked text, property integer)
 RETURNS TABLE(id integer, public_id text, portal_type_id integer, custom_portal_url text, page text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select p.id, p.public_id, d.portal_type_id, d.custom_portal_url, d.page
  from portals a
  left join properties h on h.customer_id = a.customer_id and h.id = property
  join portals p on p.customer_id = a.customer_id and p.id = coalesce(portal_of_property(h.customer_id, h.portal_id, h.group_id), a.id)
  cross join lateral door_portal(p.public_id) d
  where a.public_id = asked and a.deleted_at is null
$function$;

-- The portal of a property: its own, else that of its group.

CREATE OR REPLACE FUNCTION public.portal_of_property(customer integer, own integer, in_group integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(own, (select g.portal_id from public.groups g
    where g.customer_id = customer and g.id = in_group and g.deleted_at is null))
$function$
;

grant execute on function portal_of_property(integer,integer,integer) to foyer_app;

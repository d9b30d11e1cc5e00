-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

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

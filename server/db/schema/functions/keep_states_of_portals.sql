-- Trigger of portals that are renamed, enabled or disabled: reckons the states of the properties that show them.

CREATE OR REPLACE FUNCTION public.keep_states_of_portals()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  for mine in select p.customer_id, array_agg(p.id) as ids from new_rows n join old_rows o on o.id = n.id
    cross join lateral properties_of_portal(n.customer_id, n.id) p
    where (n.name, n.active, n.draft) is distinct from (o.name, o.active, o.draft) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $function$;

-- Trigger of groups that have another portal: reckons the states of their properties without one of their own.

CREATE OR REPLACE FUNCTION public.keep_states_of_groups()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  for mine in select p.customer_id, array_agg(p.id) as ids from new_rows n join old_rows o on o.id = n.id
    join properties p on p.customer_id = n.customer_id and p.group_id = n.id and p.portal_id is null
    where n.portal_id is distinct from o.portal_id group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $function$;

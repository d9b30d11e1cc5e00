-- Trigger of properties that are made or changed: reckons their states, where one that counts has changed.

CREATE OR REPLACE FUNCTION public.keep_states_of_properties()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, array_agg(n.id) as ids from new_rows n group by 1 loop
      perform keep_property_states(mine.customer_id, mine.ids);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, array_agg(n.id) as ids from new_rows n join old_rows o on o.id = n.id
    where (n.portal_id, n.package_id, n.group_id, n.active, n.draft, n.deleted_at)
      is distinct from (o.portal_id, o.package_id, o.group_id, o.active, o.draft, o.deleted_at) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $function$;

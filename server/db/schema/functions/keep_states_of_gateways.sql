-- Trigger of gateways that are made or changed: reckons the states of their properties, where one that counts has changed.

CREATE OR REPLACE FUNCTION public.keep_states_of_gateways()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, array_agg(distinct n.property_id) as ids from new_rows n group by 1 loop
      perform keep_property_states(mine.customer_id, mine.ids);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, array_agg(distinct place.id) as ids from new_rows n join old_rows o on o.id = n.id
    cross join lateral (values (n.property_id), (o.property_id)) as place(id)
    where (n.property_id, n.name, n.active, n.deleted_at, n.silent_since is null, n.last_seen_at is null)
      is distinct from (o.property_id, o.name, o.active, o.deleted_at, o.silent_since is null, o.last_seen_at is null) group by 1
  loop
    perform keep_property_states(mine.customer_id, mine.ids);
  end loop;
  return null;
end $function$;

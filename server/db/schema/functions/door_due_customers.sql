-- Applied at the next start after it was changed. Arguments and what it returns stay: a release before calls it, too.

CREATE OR REPLACE FUNCTION public.door_due_customers(kind_asked text, urgent_asked boolean, after_customer integer, rows_max integer)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- Each step finds the next customer by the index, and the earliest of its rows, however many it has.
  with recursive waiting as (
    (select d.customer_id from due_work d where d.state in ('waiting', 'trying') and d.kind = kind_asked and d.urgent = urgent_asked
      and d.customer_id > after_customer order by d.customer_id limit 1)
    union all
    select (select d.customer_id from due_work d where d.state in ('waiting', 'trying') and d.kind = kind_asked
      and d.urgent = urgent_asked and d.customer_id > waiting.customer_id order by d.customer_id limit 1)
    from waiting where waiting.customer_id is not null)
  select waiting.customer_id from waiting join customers c on c.id = waiting.customer_id and c.deleted_at is null
  where (select d.next_at from due_work d where d.state in ('waiting', 'trying') and d.kind = kind_asked and d.urgent = urgent_asked
      and d.customer_id = waiting.customer_id order by d.next_at limit 1) <= now()
  limit rows_max
$function$;

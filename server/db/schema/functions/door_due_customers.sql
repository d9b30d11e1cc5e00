-- Customers who have work of a kind whose time has come, urgent or not, from those after after_customer on. Each gets a turn, however much
-- one of them has; asked by the runner of due work.

CREATE OR REPLACE FUNCTION public.door_due_customers(kind_asked text, urgent_asked boolean, after_customer integer, rows_max integer)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- Each step finds the next customer by the index, and the earliest of its rows, however many it has. What is asked for stands in the
  -- order, too: else a plan made while the table was small may go by another index, through all rows of a customer.
  with recursive waiting as (
    (select d.kind, d.urgent, d.customer_id, d.next_at from due_work d where d.state in ('waiting', 'trying')
      and (d.kind, d.urgent, d.customer_id) > (kind_asked, urgent_asked, after_customer)
      order by d.kind, d.urgent, d.customer_id, d.next_at limit 1)
    union all
    select later.* from waiting, lateral (
      select d.kind, d.urgent, d.customer_id, d.next_at from due_work d where d.state in ('waiting', 'trying')
        and (d.kind, d.urgent, d.customer_id) > (waiting.kind, waiting.urgent, waiting.customer_id)
        order by d.kind, d.urgent, d.customer_id, d.next_at limit 1) later
    where (waiting.kind, waiting.urgent) = (kind_asked, urgent_asked))
  select waiting.customer_id from waiting join customers c on c.id = waiting.customer_id and c.deleted_at is null
  where (waiting.kind, waiting.urgent) = (kind_asked, urgent_asked) and waiting.next_at <= now()
  limit rows_max
$function$;

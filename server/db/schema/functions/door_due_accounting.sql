-- Accounting integrations that no work is planned for, or whose sync failed and is waited for: what the scheduler wakes. Customers must be
-- active and the consent good; at most 1000.

CREATE OR REPLACE FUNCTION public.door_due_accounting(work text)
 RETURNS TABLE(customer_id integer, about_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id from accounting_integrations i
  join customers c on c.id = i.customer_id and c.active and c.deleted_at is null
  left join due_work d on d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id
  where i.deleted_at is null and i.active and not i.needs_reconnect
    and (d.id is null or d.state = 'waiting' and d.tries = 0 and d.next_at > now() and i.failures > 0)
  order by i.id limit 1000
$function$;

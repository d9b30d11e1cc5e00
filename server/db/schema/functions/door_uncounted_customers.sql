-- Customers whose hours are to be counted: somebody is online, or came, left or was refused since what is counted, less late; or a gateway
-- was heard lately. Asked by the job that counts hours.

CREATE OR REPLACE FUNCTION public.door_uncounted_customers(late interval)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select c.id
  from customers c left join hour_ledgers l on l.customer_id = c.id
    cross join lateral (select coalesce(l.counted_until - late, '-infinity') as since) s
  where exists (select from radius_sessions t where t.customer_id = c.id and t.stopped_at is null and t.trial_id is null)
    or exists (select from radius_sessions t where t.customer_id = c.id and t.stopped_at >= s.since and t.trial_id is null)
    or exists (select from radius_authorisations t where t.customer_id = c.id and t.created_at >= s.since and t.trial_id is null)
    or exists (select from gateways g where g.customer_id = c.id and g.last_seen_at > now() - interval '90 minutes' and g.deleted_at is null)
  order by c.id
$function$;

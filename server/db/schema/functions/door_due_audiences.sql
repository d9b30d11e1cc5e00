-- Customers whose marketing audiences have changed. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_due_audiences(rows_max integer)
 RETURNS TABLE(customer_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select c.id from customers c
  where c.active and c.deleted_at is null and exists (select from marketing_integrations i
    where i.customer_id = c.id and i.deleted_at is null and i.active and i.audience_id is not null and not i.needs_reconnect
      and i.failures = 0 and i.changes_since is not null
      and (exists (select from consent_records r where r.customer_id = i.customer_id and r.purpose = 'marketing_email'
          and greatest(r.created_at, r.confirmed_at, r.withdrawn_at) > coalesce(i.looked_at, '-infinity') - interval '2 minutes')
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.state in ('waiting', 'leaving') and coalesce(m.due_at, m.created_at) <= now())
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.due_at <= now() and m.state = 'sent')
        or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
          and m.consent_record_id is null and m.state <> 'leaving' and not exists (
            select from guests g where g.customer_id = m.customer_id and g.id = m.guest_id and g.deleted_at is null))))
  limit rows_max
$function$;

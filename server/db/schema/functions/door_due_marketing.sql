-- Marketing integrations that no work is planned for, whose sync failed, or whose audience is to change: consents given or withdrawn.
-- Erasures have work of their own. Customers must be active and the consent good; at most 1000.

CREATE OR REPLACE FUNCTION public.door_due_marketing(work text)
 RETURNS TABLE(customer_id integer, about_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select i.customer_id, i.id from marketing_integrations i
  join customers c on c.id = i.customer_id and c.active and c.deleted_at is null
  left join due_work d on d.customer_id = i.customer_id and d.kind = work and d.about_id = i.id
  where i.deleted_at is null and i.active and not i.needs_reconnect
    and (d.id is null or d.state = 'waiting' and d.tries = 0 and d.next_at > now() and (i.failures > 0
      or i.audience_id is not null and i.changes_since is not null
        and (exists (select from consent_records r where r.customer_id = i.customer_id and r.purpose = 'marketing_email'
            and greatest(r.created_at, r.confirmed_at, r.withdrawn_at) > coalesce(i.looked_at, '-infinity') - interval '2 minutes')
          or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
            and m.state = 'waiting' and coalesce(m.due_at, m.created_at) <= now())
          or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
            and m.state = 'leaving' and m.refused_at is null and coalesce(m.due_at, m.created_at) <= now() and exists (
              select from guests g where g.customer_id = m.customer_id and g.id = m.guest_id and g.deleted_at is null))
          or exists (select from marketing_members m where m.customer_id = i.customer_id and m.marketing_integration_id = i.id
            and m.due_at <= now() and m.state = 'sent'))))
  order by i.id limit 1000
$function$;

-- Members of audiences whose guest is gone and whose erasure no work is planned for: what nodes of the release before have left, and what
-- waited for a connection. Customers must be active and the consent good; at most 1000. Asked by the scheduler.

CREATE OR REPLACE FUNCTION public.door_lost_erasures(work text)
 RETURNS TABLE(customer_id integer, about_id integer, lane text, is_unsure boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  -- Their consents went with the guests, or a round has marked that they leave.
  select i.customer_id, m.id, 'marketing ' || i.id, true from marketing_integrations i
  join customers c on c.id = i.customer_id and c.active and c.deleted_at is null
  cross join lateral (
    select l.id, l.guest_id from marketing_members l where l.customer_id = i.customer_id and l.marketing_integration_id = i.id
      and l.state = 'leaving'
    union all
    select l.id, l.guest_id from marketing_members l where l.customer_id = i.customer_id and l.marketing_integration_id = i.id
      and l.state <> 'leaving' and l.consent_record_id is null) m
  where i.deleted_at is null and i.active and not i.needs_reconnect and i.audience_id is not null and i.tenant_id is not null
    and not exists (select from guests g where g.customer_id = i.customer_id and g.id = m.guest_id and g.deleted_at is null)
    and not exists (select from due_work d where d.customer_id = i.customer_id and d.kind = work and d.about_id = m.id)
  order by m.id limit 1000
$function$;

-- Integrations whose sync is due. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_due_integrations(rows_max integer)
 RETURNS TABLE(customer_id integer, kind text, integration_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select d.customer_id, d.kind, d.id from (
    select a.customer_id, 'accounting' as kind, a.id, a.next_sync_at from accounting_integrations a
      where a.next_sync_at <= now() and a.deleted_at is null and not a.needs_reconnect
    union all
    select m.customer_id, 'marketing', m.id, m.next_sync_at from marketing_integrations m
      where m.next_sync_at <= now() and m.deleted_at is null and not m.needs_reconnect) d
  join customers c on c.id = d.customer_id and c.active and c.deleted_at is null
  order by d.next_sync_at limit rows_max
$function$;

-- Schedules whose owner's rights have changed since they were checked, or whose API key is over. A job checks them again.

CREATE OR REPLACE FUNCTION public.door_unchecked_schedules(rows_max integer)
 RETURNS TABLE(customer_id integer, report_id integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select r.customer_id, r.id from reports r join customers c on c.id = r.customer_id and c.active and c.deleted_at is null
  where r.deleted_at is null and r.scheduled and r.active and not r.draft and r.paused_at is null
    and (r.owner_checked_at is null or r.id in (
      select s.id from reports s join api_keys k on k.customer_id = s.customer_id and k.id = s.api_key_id
      where s.api_key_id is not null and k.expires_at <= now()))
  order by r.id limit rows_max
$function$;

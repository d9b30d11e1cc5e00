-- Nights that are over by the property's clock and not written, the oldest of each customer first, so that one with many keeps nobody
-- waiting. Asked by the job that keeps the ledger.

CREATE OR REPLACE FUNCTION public.door_due_nights()
 RETURNS TABLE(customer_id integer, property_id integer, night date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select l.customer_id, l.property_id, l.kept_until + 1
  from night_ledgers l join properties p on p.customer_id = l.customer_id and p.id = l.property_id
  -- No date is over anywhere before it has begun in the zone that is furthest ahead.
  where l.kept_until + 1 < local_day(app_now(), 'Pacific/Kiritimati')
    and day_begins(l.kept_until + 2, p.time_zone) <= least(app_now(), p.deleted_at)
  order by row_number() over (partition by l.customer_id order by l.kept_until, l.property_id), l.kept_until, l.property_id
$function$;

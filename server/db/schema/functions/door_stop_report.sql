-- Stops a schedule for one receiver, or says whether it is stopped. Unused: a later release drops it.

CREATE OR REPLACE FUNCTION public.door_stop_report(customer integer, report integer, address text, stop boolean)
 RETURNS TABLE(report_name text, stopped boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if stop then
    insert into report_stops (customer_id, report_id, email)
      select r.customer_id, r.id, lower(address) from reports r where r.customer_id = customer and r.id = report
      on conflict do nothing;
  end if;
  return query select r.name, exists (select from report_stops s
      where s.customer_id = customer and s.report_id = report and s.email = lower(address))
    from reports r where r.customer_id = customer and r.id = report and r.deleted_at is null;
end $function$;

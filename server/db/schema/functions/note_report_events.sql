-- Trigger of reports whose file is made: records report.made for webhooks.

CREATE OR REPLACE FUNCTION public.note_report_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'group_id', n.group_id, 'property_id', n.property_id, 'data',
      jsonb_build_object('report_id', n.report_id))) as happened
    from new_rows n join old_rows o on o.id = n.id where o.outcome <> 'done' and n.outcome = 'done' group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'report.made', 'report_run', mine.happened);
  end loop;
  return null;
end $function$;

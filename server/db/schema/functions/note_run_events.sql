-- Trigger of billing runs that are approved: records billing_run.approved for webhooks.

CREATE OR REPLACE FUNCTION public.note_run_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id)) as happened
    from new_rows n join old_rows o on o.id = n.id where o.approved_at is null and n.approved_at is not null group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'billing_run.approved', 'billing_run', mine.happened);
  end loop;
  return null;
end $function$;

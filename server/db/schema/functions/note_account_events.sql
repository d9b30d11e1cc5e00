-- Trigger of accounts that are made, disabled or deleted: records account.created and account.ended for webhooks.

CREATE OR REPLACE FUNCTION public.note_account_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id)) as happened
      from new_rows n where n.deleted_at is null group by n.customer_id
    loop
      perform record_events(mine.customer_id, 'account.created', 'account', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.id, 'property_id', n.property_id, 'data', jsonb_build_object(
      'why', case when n.deleted_at is not null then 'deleted' else 'disabled' end))) as happened
    from new_rows n join old_rows o on o.id = n.id where o.deleted_at is null and (n.deleted_at is not null or (o.active and not n.active))
    group by n.customer_id
  loop
    perform record_events(mine.customer_id, 'account.ended', 'account', mine.happened);
  end loop;
  return null;
end $function$;

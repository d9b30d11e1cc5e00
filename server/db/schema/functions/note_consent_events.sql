-- Trigger of consents that guests give or withdraw: records guest.consent_given and guest.consent_withdrawn for webhooks.

CREATE OR REPLACE FUNCTION public.note_consent_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  mine record;
begin
  if tg_op = 'INSERT' then
    for mine in select n.customer_id, jsonb_agg(jsonb_build_object('id', n.guest_id, 'guest_id', n.guest_id, 'property_id', n.property_id,
        'data', jsonb_build_object('purpose', n.purpose)) order by n.id) as happened, n.purpose
      from new_rows n where n.guest_id is not null and n.withdrawn_at is null group by n.customer_id, n.purpose
    loop
      perform record_events(mine.customer_id, 'guest.consent_given', 'guest', mine.happened);
    end loop;
    return null;
  end if;
  for mine in select n.customer_id, n.purpose, jsonb_agg(jsonb_build_object('id', n.guest_id, 'guest_id', n.guest_id, 'property_id',
      n.property_id, 'data', jsonb_build_object('purpose', n.purpose)) order by n.id) as happened
    from new_rows n join old_rows o on o.id = n.id
    where n.guest_id is not null and o.withdrawn_at is null and n.withdrawn_at is not null group by n.customer_id, n.purpose
  loop
    perform record_events(mine.customer_id, 'guest.consent_withdrawn', 'guest', mine.happened);
  end loop;
  return null;
end $function$;

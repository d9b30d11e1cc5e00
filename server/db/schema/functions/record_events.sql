-- Records events of a customer, numbers them for each object, and plans their delivery to the webhooks that hear them. Called by triggers
-- and by the product; happened is an array of id, property_id, group_id, guest_id and data.

CREATE OR REPLACE FUNCTION public.record_events(customer integer, kind text, about text, happened jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with happened as materialized (
    select h.* from jsonb_to_recordset(record_events.happened) as h(id bigint, property_id integer, group_id integer, guest_id integer,
      data jsonb)),
  -- Always in the order of the objects, so that transactions which count the same do not deadlock.
  counted as (
    insert into event_sequences as s (customer_id, object, object_id)
    select customer, about, h.id from happened h group by h.id order by h.id
    on conflict (customer_id, object, object_id) do update set last = s.last + 1 returning s.object_id, s.last),
  recorded as (
    insert into events (customer_id, type, object, object_id, sequence, group_id, property_id, guest_id, data)
    select customer, kind, about, h.id, c.last, case when h.property_id is null then h.group_id end, h.property_id, h.guest_id,
      coalesce(h.data, '{}')
    from happened h join counted c on c.object_id = h.id order by h.id returning id, group_id, property_id),
  told as (
    insert into webhook_deliveries (customer_id, webhook_id, event_id)
    select customer, w.id, r.id from recorded r
    join webhooks w on w.customer_id = customer and w.active and w.paused_at is null and w.deleted_at is null
      and webhook_hears(w, kind, r.group_id, r.property_id)
    returning id, webhook_id)
  insert into due_work (customer_id, kind, about_id, lane) select customer, 'webhook', t.id, 'webhook ' || t.webhook_id from told t
$function$
;

grant execute on function record_events(integer,text,text,jsonb) to foyer_app;

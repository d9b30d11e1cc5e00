-- One place says which webhook hears an event, for what is told at once and for what is told again.

-- It wants events of the type, and reaches where it happened: its property, its group, or anywhere where it is the customer's.
create function webhook_hears(hook webhooks, type text, group_id integer, property_id integer) returns boolean language sql stable as $$
  select webhook_hears.type = any (hook.events) and case
    when hook.property_id is not null then coalesce(hook.property_id = webhook_hears.property_id, false)
    when hook.group_id is not null then coalesce(hook.group_id = coalesce(
      (select p.group_id from properties p where p.customer_id = hook.customer_id and p.id = webhook_hears.property_id),
      webhook_hears.group_id), false)
    else true end
$$;
grant execute on function webhook_hears(webhooks, text, integer, integer) to foyer_app;

-- Records what has happened to some objects, and has it told to the webhooks that want it and reach it. happened: an array of
-- {id, property_id, group_id, guest_id, data}.
create or replace function record_events(customer integer, kind text, about text, happened jsonb) returns void language sql
  set search_path = pg_catalog, public, pg_temp as $$
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
$$;

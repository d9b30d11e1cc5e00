// Emit: records what has happened, in the transaction in which it does, and has it told to the webhooks that want it and reach it.
import { sql } from 'kysely'
import type { EventData, EventType } from '#contract/events.ts'
import { eventTypes } from '#contract/events.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { dueKind, queueDue } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'

/** About a delivery of an event: it is posted to a webhook. */
export const webhookKind = dueKind('webhook')
export const laneOf = (webhook_id: number) => `webhook ${webhook_id}`

interface Happened<T extends EventType> {
  /** The object that it happened to. */
  id: number
  /** Where; null where it concerns more than one property. */
  property_id: number | null
  /** Of what belongs to a group, and to none of its properties. */
  group_id?: number | null
  /** Whom it is about, for an erasure. */
  guest_id?: number | null
  data: EventData<T>
}

/** Records what has happened to some objects. */
export async function emit<T extends EventType>(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  type: T,
  happened: readonly Happened<T>[],
): Promise<void> {
  if (happened.length === 0) return
  const { object } = eventTypes[type]
  // Always in the order of the objects, so that transactions which count the same do not deadlock.
  const rows = happened.toSorted((one, other) => one.id - other.id)
  const deliveries = await scope.run(sql<{ id: number; webhook_id: number }>`
    with happened as (
      select h.* from json_to_recordset(${JSON.stringify(rows)}) as h(id bigint, property_id integer, group_id integer, guest_id integer,
        data jsonb)),
    counted as (
      insert into event_sequences as s (customer_id, object, object_id)
      select ${scope.customer_id}, ${object}, h.id from happened as h order by h.id
      on conflict (customer_id, object, object_id) do update set last = s.last + 1 returning s.object_id, s.last),
    recorded as (
      insert into events (customer_id, type, object, object_id, sequence, group_id, property_id, guest_id, data)
      select ${scope.customer_id}, ${type}, ${object}, h.id, c.last, case when h.property_id is null then h.group_id end, h.property_id,
        h.guest_id, h.data
      from happened as h join counted as c on c.object_id = h.id returning id, group_id, property_id)
    insert into webhook_deliveries (customer_id, webhook_id, event_id)
    select ${scope.customer_id}, w.id, r.id from recorded as r
    left join properties as p on p.customer_id = ${scope.customer_id} and p.id = r.property_id
    join webhooks as w on w.customer_id = ${scope.customer_id} and w.active and w.paused_at is null and w.deleted_at is null
      and ${type} = any(w.events)
      and case when w.property_id is not null then w.property_id = r.property_id
        when w.group_id is not null then w.group_id = coalesce(p.group_id, r.group_id) else true end
    returning id, webhook_id`)
  await queueDue(
    scope,
    queue,
    webhookKind,
    deliveries.map(({ id, webhook_id }) => ({ about_id: id, lane: laneOf(webhook_id) })),
  )
}

// Emit: records what has happened, in the transaction in which it does, and has it told to the webhooks that want it and reach it. What
// happens to the rows of some tables is recorded by their triggers, whatever writes them (note_account_events and its neighbours).
import { sql } from 'kysely'
import { eventTypes, type EventData, type EventType } from '#contract/events.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { dueKind, wake } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'

/** About a delivery of an event: it is posted to a webhook. The database queues it, by this name and lane (record_events). */
export const webhookKind = dueKind('webhook')
export const webhookLane = (webhook_id: number) => `webhook ${webhook_id}`

interface Happened<T extends EventType> {
  /** The object that it happened to. */
  id: number
  /** Where. */
  property_id: number | null
  /** Whom it is about, for an erasure. */
  guest_id?: number | null
  data: EventData<T>
}

export async function emit<T extends EventType>(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  type: T,
  happened: readonly Happened<T>[],
  object: string = eventTypes[type].object,
): Promise<void> {
  if (happened.length === 0) return
  const [recorded] = await scope.run(sql<{ is_heard: boolean }>`
    select record_events(${scope.customer_id}, ${type}, ${object}, ${JSON.stringify(happened)}::jsonb),
      exists (select from webhooks as t where t.customer_id = ${scope.customer_id} and t.active and t.deleted_at is null) as is_heard`)
  // Most customers have no webhook: each sign-in would wake a node for nothing.
  if (recorded?.is_heard) await wake(queue, webhookKind.name)
}

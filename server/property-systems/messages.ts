// Messages: posted messages are stored first, so that they are answered at once and count once, and applied as due work, one by one.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { dueKind, queueDue, type DueWork } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { receiveUpdates } from './receive-updates.ts'
import { interfaceOf } from './interfaces.ts'
import { markUp } from './link-state.ts'
import { systemOf } from './kinds.ts'
import { rawJson } from './raw-json.ts'

const messageKind = dueKind('property_message')
const laneOf = (interface_id: number) => `interface ${interface_id}`

/** How often it is looked whether an interface that is switched off is on again: what it was sent before waits. */
const off_wait_s = 20

/**
 * Kept under its id for seven days: whoever sends it again changes nothing, but has it taken in if that was not done.
 * @returns whether it is kept: not where nobody can say of which property it is
 */
export async function keepMessage(
  { tenancy, queue }: { tenancy: Tenancy; queue: Queue },
  { customer_id, id }: { customer_id: number; id: number },
  message: { message_id: string; body: unknown },
): Promise<boolean> {
  return tenancy.enter(callerOfJob(customer_id, 'property system'), 'write', async (scope) => {
    const of = await interfaceOf(scope, id)
    if (!of || of.property_id === null) return false
    const [kept] = await scope.run(sql<ColumnsOf<'told_messages', 'id'>>`
      insert into told_messages as t (customer_id, property_interface_id, message_id, body)
      values (${customer_id}, ${id}, ${message.message_id}, ${rawJson(message.body)})
      on conflict (customer_id, property_interface_id, message_id) do update set message_id = t.message_id
        where t.body is not null returning t.id`)
    if (kept) await queueDue(scope, queue, messageKind, [{ about_id: kept.id, urgent: true, lane: laneOf(id) }])
    return true
  })
}

export const messageWork: DueWork<{ tenancy: Tenancy; queue: Queue }> = {
  kind: messageKind,
  about: (scope) => sql`(select coalesce(i.name, i.uuid::text) from told_messages as m
    join property_interfaces as i on i.customer_id = m.customer_id and i.id = m.property_interface_id
      and ${scope.inReach('property_interfaces', 'i')}
    where m.customer_id = t.customer_id and m.id = t.about_id and ${scope.inReach('told_messages', 'm')})`,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 2,
  of_one_lane: 1,
  tries_max: 5,
  wait_s: (tries) => 2 ** tries,
  run:
    async ({ queue }, { about_id }) =>
    async (scope) => {
      const [message] = await scope.run(sql<{ interface_id: number; body: unknown }>`
      select t.property_interface_id as interface_id, t.body from told_messages as t
      where t.id = ${about_id} and t.body is not null and ${scope.inReach('told_messages', 't')}`)
      if (!message) return
      const of = await interfaceOf(scope, message.interface_id)
      if (!of || of.property_id === null) {
        const there = await scope.run(sql`
          select from property_interfaces as t where t.id = ${message.interface_id} and ${scope.inReach('property_interfaces', 't')}`)
        return there.length > 0 ? { waits_s: off_wait_s } : undefined
      }
      const read = systemOf(of.type_id)?.hook?.read(message.body)
      if (read && 'updates' in read) await receiveUpdates(scope, queue, of, read.updates)
      else await markUp(scope, of.id)
      await scope.change('told_messages', [about_id], { body: null })
    },
}

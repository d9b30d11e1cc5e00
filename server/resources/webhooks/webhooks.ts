// Webhooks: the addresses that are told what happens, their secrets, and the log of what they were told.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { z } from 'zod'
import * as contract from '#contract/webhooks.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { queueDue, waitsForAnswer } from '#server/due/due-work.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity } from '#server/entities/entity.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import { ownerColumns, ownerColumnsIn } from '#server/entities/owner.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { createRow, deactivateRow, removeRow, unreachableIds, updateRow } from '#server/entities/verbs.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { webhookLane, webhookKind } from '#server/events/emit.ts'
import type { Services } from '#server/services.ts'
import { giveUpWaiting, hostIn, stillHears } from '#server/webhooks/deliver.ts'
import { makeSecret, renewSecret } from '#server/webhooks/secrets.ts'

const owner = ownerColumnsIn(null)

const webhooks = entity({
  table: 'webhooks',
  row: contract.Webhook,
  detail: contract.Webhook,
  // Its path is often a secret of the receiver's, and viewers read the log.
  label: hostIn(sql`t.url`),
  guarded: ['url'],
  computed: {
    owner_type: owner.type,
    owner_id: owner.id,
    owner_name: owner.name,
    waiting: sql`(select count(*)::integer from (select from webhook_deliveries as d where d.customer_id = t.customer_id
      and d.webhook_id = t.id and d.state = 'waiting' limit 1000) as d)`,
  },
  filters: {
    words: wordsOf(sql`t.url`),
    owner_type: ({ is }) => is(owner.type),
    group_id: ({ is }) => sql`(${is(sql`t.group_id`)} or t.property_id in (
      select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)}))`,
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

/** `value` of the due work that a delivery waits for, as `d`; null where it does not wait. */
const ofDelivery = (value: RawBuilder<unknown>) => sql`
  (select ${value} from due_work as d where d.customer_id = t.customer_id and d.kind = ${sql.lit(webhookKind.name)}
    and d.about_id = t.id and d.state = 'waiting')`

const deliveries = entity({
  table: 'webhook_deliveries',
  row: contract.WebhookDelivery,
  detail: contract.WebhookDelivery,
  label: 'id',
  computed: {
    event: sql`(select concat('msg_', e.uuid) from events as e where e.customer_id = t.customer_id and e.id = t.event_id)`,
    type: sql`(select e.type from events as e where e.customer_id = t.customer_id and e.id = t.event_id)`,
    next_at: ofDelivery(sql`d.next_at`),
    waits_for_answer: sql`coalesce(${ofDelivery(waitsForAnswer('d'))}, false)`,
  },
  filters: {
    words: wordsOf(sql`(select e.type from events as e where e.customer_id = t.customer_id and e.id = t.event_id)`),
    type: ({ is }) => sql`exists (select from events as e where e.customer_id = t.customer_id and e.id = t.event_id
      and ${is(sql`e.type`)})`,
  },
})

/** Where names of guests go is decided by who may have them told. */
function refuseDiversion(scope: Scope, { personal_data, url }: Kept, input: { url?: string | undefined }) {
  if (personal_data && scope.owner.owner_type !== 'Customer' && input.url !== undefined && input.url !== url)
    throw invalid({ url: ['It receives guests’ names, so only editors of the company can change its address.'] })
}

const rests = () => clash('It is disabled or paused. Activate it first.')

/** Has what failed, or was told already, told again, under the same ids. */
async function tellAgain(scope: Scope, queue: Services['queue'], ids: readonly number[]): Promise<number> {
  const again = await scope.run(sql<{ about_id: number; webhook_id: number }>`
    update webhook_deliveries as t set state = 'waiting', tries = 0, status = null, answer = null
    from webhooks as w, events as e where t.id = any(${ids}) and w.customer_id = t.customer_id and w.id = t.webhook_id and w.active
      and w.paused_at is null and e.customer_id = t.customer_id and e.id = t.event_id and ${stillHears}
      and ${scope.inReach('webhooks', 'w')} and ${scope.inReach('events', 'e')} and ${scope.inReach('webhook_deliveries', 't')}
    returning t.id as about_id, t.webhook_id`)
  await queueDue(
    scope,
    queue,
    webhookKind,
    again.map(({ about_id, webhook_id }) => ({ about_id, lane: webhookLane(webhook_id) })),
  )
  return again.length
}

/** Events that it wants and has not been told, such as those of the time when it was paused, get their delivery. */
async function sinceThen(scope: Scope, { id }: Kept, since: string): Promise<number[]> {
  const rows = await scope.run(sql<ColumnsOf<'webhook_deliveries', 'id'>>`
    insert into webhook_deliveries as d (customer_id, webhook_id, event_id)
    select t.customer_id, t.id, e.id from webhooks as t join events as e on e.customer_id = t.customer_id
      and e.created_at >= ${since}::timestamptz and webhook_hears(t, e.type, e.group_id, e.property_id)
    where t.id = ${id} and ${scope.inReach('webhooks', 't')}
    order by e.id
    on conflict (customer_id, webhook_id, event_id) do update set state = 'waiting' returning d.id`)
  return rows.map((row) => row.id)
}
type Kept = z.output<typeof contract.Webhook>

/** At most this many for one owner: each event costs a call to each. */
const webhooks_max = 20

async function refuseTooMany(scope: Scope, place: { group_id?: number; property_id?: number }) {
  const { group_id = null, property_id = null } = place
  const [counted] = await scope.run(sql<{ count: number }>`
    select count(*)::integer as count from webhooks as t where t.group_id is not distinct from ${group_id}::integer
      and t.property_id is not distinct from ${property_id}::integer and ${scope.inReach('webhooks', 't')}`)
  if (counted && counted.count >= webhooks_max)
    throw invalid({ url: [`There are ${webhooks_max} webhooks already. Delete one first.`] })
}

export async function disableWebhook(scope: Scope, id: number) {
  await giveUpWaiting(scope, id)
  await deactivateRow(scope, webhooks, id)
}

export default ({ seal, queue, isNamedHost }: Pick<Services, 'seal' | 'queue' | 'isNamedHost'>) => {
  /** Nothing is told in the clear, except where the installation itself names the host. */
  const refuseUnsafe = ({ url }: { url?: string | undefined }) => {
    if (url !== undefined && !url.toLowerCase().startsWith('https://') && !isNamedHost(url))
      throw invalid({ url: ['Please enter an address that begins with https://'] })
  }
  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, webhooks, searched(input)),
    get: ({ scope, input }) => oneRow(scope, webhooks, input.id),
    create: async ({ scope, input: { owner_type, owner_id, ...input } }) => {
      refuseUnsafe(input)
      const place = await ownerColumns(scope, { owner_type, owner_id })
      await refuseTooMany(scope, place)
      const made = await createRow(scope, webhooks, { ...input, events: [...new Set(input.events)], ...place })
      return { ...made, secret: await makeSecret(scope, seal, made.id) }
    },
    update: async ({ scope, input }) => {
      refuseUnsafe(input)
      const before = await lockedRow(scope, webhooks, input.id)
      refuseDiversion(scope, before, input)
      if (input.active === false) await giveUpWaiting(scope, input.id)
      const isStarted = input.active === true ? { paused_at: null, paused_for: null, failing_since: null } : {}
      return updateRow(scope, webhooks, { ...input, ...isStarted })
    },
    remove: ({ scope, input }) => removeRow(scope, webhooks, input.id),
    renewSecret: async ({ scope, input }) => {
      const row = await lockedRow(scope, webhooks, input.id)
      const secret = await renewSecret(scope, seal, row.id)
      await logActivity(scope, {
        action: 'update',
        entity: webhooks,
        row,
        before: null,
        after: { secret_renewed: true },
      })
      return { ...row, secret }
    },
    test: async ({ scope, input }) => {
      const { id, owner_type, owner_id } = await oneRow(scope, webhooks, input.id)
      const [event] = await scope.run(sql<ColumnsOf<'events', 'id'>>`
        insert into events (customer_id, type, object, object_id, sequence, group_id, property_id)
        values (${scope.customer_id}, 'webhook.test', 'webhook', ${id}, 1, ${owner_type === 'Group' ? owner_id : null},
          ${owner_type === 'Property' ? owner_id : null}) returning id`)
      if (!event) throw new Error('no test event was made')
      const delivery = await scope.insert('webhook_deliveries', { webhook_id: id, event_id: event.id })
      if ((await tellAgain(scope, queue, [delivery])) === 0) throw rests()
      return { ids: [id] }
    },
    replay: async ({ scope, input }) => {
      const row = await lockedRow(scope, webhooks, input.id)
      if (!row.active || row.paused_at !== null) throw rests()
      const sent = await tellAgain(scope, queue, await sinceThen(scope, row, input.since))
      await logActivity(scope, { action: 'update', entity: webhooks, row, before: null, after: { sent_again: sent } })
      return { sent }
    },
    deliveries: ({ scope, input }) => listRows(scope, deliveries, searched(input)),
    send: async ({ scope, input }) => {
      const found = await scope.lock('webhook_deliveries', sql`t.id = any(${input.ids})`)
      if (found.length !== input.ids.length) throw unreachableIds()
      if ((await tellAgain(scope, queue, input.ids)) < input.ids.length)
        throw clash(
          'One of these webhooks is disabled or paused, or no longer receives this event. Activate it first if it is off.',
        )
      return { ids: input.ids }
    },
  })
}

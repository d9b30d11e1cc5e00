// Due connections: the job that checks each minute which connections are due and whose audiences are to be told something, and the
// ones that do it.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { syncAccounting } from './accounting.ts'
import type { Integrations } from './integrations.ts'
import { syncMarketing, tellAudiences } from './marketing.ts'
import type { Kind } from './provider.ts'
import { tableOf } from './connection-state.ts'

const rows_per_step = 1000
/** For this time no other job takes the connection; if the node is killed, another one does so afterwards. */
const at_work_s = 600

interface Due {
  customer_id: number
  kind: Kind
  integration_id: number
}

/** Failures are recorded on the connection, with the time of the next try. */
export const syncKind = jobKind<Due>('sync_integration')

/** Tells a customer's audiences who has agreed, withdrawn or been erased. */
export const tellKind = jobKind<{ customer_id: number }>('tell_audiences')

export async function queueDueConnections(tenancy: Tenancy, queue: Queue): Promise<void> {
  const due = await tenancy.callFunction(sql<Due>`
    select customer_id, kind, integration_id from door_due_integrations(${rows_per_step})`)
  await forEachCustomer([...new Set(due.map(({ customer_id }) => customer_id))], async (customer_id) => {
    const caller = callerOfJob(customer_id, 'integrations')
    for (const { kind, integration_id } of due.filter((one) => one.customer_id === customer_id))
      await tenancy.enter(caller, 'write', async (scope) => {
        const mine = sql<boolean>`(t.id = ${integration_id} and t.next_sync_at <= now())`
        const next_sync_at = sql`now() + make_interval(secs => ${at_work_s})`
        const taken = await scope.change(tableOf({ kind }), mine, { next_sync_at })
        if (taken.length > 0) await queue.send(syncKind, { customer_id, kind, integration_id })
      })
  })
}

export async function queueTelling(tenancy: Tenancy, queue: Queue): Promise<void> {
  const due = await tenancy.callFunction(sql<{ customer_id: number }>`
    select customer_id from door_due_audiences(${rows_per_step})`)
  await forEachCustomer(
    due.map(({ customer_id }) => customer_id),
    (customer_id) => queue.send(tellKind, { customer_id }),
  )
}

export const dueIntegrationsJob = job({
  kind: jobKind('due_integrations'),
  cron: '* * * * *',
  title: 'Calling connected systems',
  run: async ({ tenancy, queue }: { tenancy: Tenancy; queue: Queue }) => {
    await queueTelling(tenancy, queue)
    await queueDueConnections(tenancy, queue)
  },
})

export const syncIntegrationJob = job({
  kind: syncKind,
  run: (options: { tenancy: Tenancy; integrations: Integrations }, { customer_id, kind, integration_id }) =>
    kind === 'accounting'
      ? syncAccounting(options, customer_id, integration_id)
      : syncMarketing(options, customer_id, integration_id),
})

export const tellAudiencesJob = job({
  kind: tellKind,
  run: (options: { tenancy: Tenancy; integrations: Integrations }, { customer_id }) =>
    tellAudiences(options, customer_id),
})

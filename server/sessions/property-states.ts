// Property states: the job that keeps the state of each property as time goes by: gateways that fall silent or are heard again, and
// what else follows from what no longer happens. How it is reckoned stands in one function of the database, property_states_now; what
// people change is reckoned at once by triggers.
import { sql } from 'kysely'
import { forEachCustomer } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { wake } from '#server/due/due-work.ts'
import { webhookKind } from '#server/events/emit.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { tellOutages } from '#server/sessions/outage-mails.ts'

/** How often gateways that turned silent or are heard again are looked for: with what a screen adds, it is seen within a minute. */
const look_every_s = 20
/** As many are kept in one transaction. */
const properties_at_once = 500

interface Needs {
  tenancy: Tenancy
  queue: Queue
  public_url: string
}

const callerFor = (customer_id: number) => callerOfJob(customer_id, 'states of properties')
const idsOf = (customers: readonly { customer_id: number }[]) => customers.map(({ customer_id }) => customer_id)

/** Answers whether any of the customer's gateways turned. In a transaction of its own, so that none is locked while states are kept. */
const noteSilent = ({ tenancy, queue }: Needs, customer_id: number): Promise<boolean> =>
  tenancy.enter(callerFor(customer_id), 'write', async (scope) => {
    const [noted] = await scope.run(sql<{ events: number }>`select note_silent_gateways(${customer_id}) as events`)
    if (noted === undefined || noted.events === 0) return false
    await wake(queue, webhookKind.name)
    return true
  })

export async function keepStates(needs: Needs): Promise<void> {
  const { tenancy, queue, public_url } = needs
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_customers_of_states()`,
  )
  await forEachCustomer(idsOf(customers), async (customer_id) => {
    const caller = callerFor(customer_id)
    await noteSilent(needs, customer_id)
    let last = 0
    while (last >= 0) last = await tenancy.enter(caller, 'write', (scope) => keepNext(scope, last))
    await tenancy.enter(caller, 'write', (scope) => tellOutages(scope, { queue, public_url }))
  })
}

/** Answers the id of the last property that was reckoned, or -1 if there are no more. */
async function keepNext(scope: Scope, after: number): Promise<number> {
  const [kept] = await scope.run(sql<{ ids: number[] }>`
    select coalesce(array_agg(p.id), '{}') as ids from (select t.id from properties as t
      where t.id > ${after} and ${scope.inReach('properties', 't')} order by t.id limit ${properties_at_once}) as p`)
  const ids = kept?.ids ?? []
  await scope.run(sql`select keep_property_states(${scope.customer_id}, ${ids}::integer[])`)
  return ids.length < properties_at_once ? -1 : (ids.at(-1) ?? -1)
}

/** Between two minutes: a trigger reckons the state of a property whose gateway turned. */
async function noteTurned(needs: Needs): Promise<void> {
  const { tenancy, queue, public_url } = needs
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_customers_of_turned_gateways()`,
  )
  await forEachCustomer(idsOf(customers), async (customer_id) => {
    if (!(await noteSilent(needs, customer_id))) return
    await tenancy.enter(callerFor(customer_id), 'write', (scope) => tellOutages(scope, { queue, public_url }))
  })
}

const turnedKind = jobKind('turned_gateways')
export const noteTurnedJob = job({ kind: turnedKind, run: noteTurned })

export const keepStatesJob = job({
  kind: jobKind('property_states'),
  cron: '* * * * *',
  title: 'Reckoning the states of properties',
  at_start: true,
  async run(needs: Needs) {
    for (const after_s of [look_every_s, 2 * look_every_s]) await needs.queue.send(turnedKind, {}, { after_s })
    await keepStates(needs)
  },
})

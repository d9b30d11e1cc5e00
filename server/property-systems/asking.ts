// Asking: systems that tell nothing by themselves are asked for all stays again and again. It is due work that never ends, so one node
// asks, and the job that looks each minute for interfaces that nobody asks begins it.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { dueKind, queueDue, TriedInVain, type DueWork } from '#server/due/due-work.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { hear, interfaceName, interfaceOf, isDown, type Interface, type Means } from './hear.ts'
import { systemOf, systems } from './kinds.ts'
import { settingsOf } from './settings.ts'

const askingKind = dueKind('property_asking')
/** After it could not be asked. */
const again_s = 5 * 60

interface Needs {
  tenancy: Tenancy
  queue: Queue
  seal: Seal
  safeFetch: SafeFetch
}

export const askingWork = (applyGuests: Means['applyGuests']): DueWork<Needs> => ({
  kind: askingKind,
  about: interfaceName,
  promise: 'repeated',
  at_once: 4,
  of_one_customer: 1,
  tries_max: 10,
  wait_s: () => again_s,
  async run({ tenancy, queue, seal, safeFetch }, { about_id, caller }) {
    const known = await tenancy.enter(caller, 'read', async (scope) => {
      const of = await interfaceOf(scope, about_id)
      return of && { of, settings: await settingsOf(scope, seal, of.id, of.settings), ...(await propertyOf(scope, of)) }
    })
    const asks = known && systemOf(known.of.type_id)?.asks
    if (!known || !asks || known.of.property_id === null || known.of.host === null) return
    const { of, settings, mri_enabled, reference } = known
    if (!mri_enabled) throw inVain('This property is not connected to MRI: say so on its own page.')
    if (reference === null) throw inVain('The property needs its external reference: the number that it has in MRI.')
    const at = new Date()
    const host = of.port === null ? `${of.host}` : `${of.host}:${of.port}`
    const stays = await asks.ask({ fetch: safeFetch, host, settings, reference }).catch((error: unknown) => {
      throw error instanceof NotReached ? inVain(`There is no link: ${error.message}.`) : error
    })
    return async (scope) => {
      const now = await interfaceOf(scope, of.id)
      // What was changed on the form meanwhile holds.
      if (JSON.stringify(now) !== JSON.stringify(of)) return { waits_s: 0 }
      await hear(scope, { queue, applyGuests }, of, [{ kind: 'all', at, stays }])
      return { waits_s: asks.every_s }
    }
  },
  failed: (scope, { about_id }, { last_error }) => isDown(scope, about_id, last_error),
})

const inVain = (sentence: string) => new TriedInVain(sentence, { retry_after_s: again_s })

async function propertyOf(scope: Scope, { property_id }: Interface) {
  const [property] = await scope.run(sql<{ mri_enabled: boolean; reference: string | null }>`
    select t.mri_enabled, t.external_reference as reference from properties as t
    where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  return property ?? { mri_enabled: false, reference: null }
}

/** Now, and not when its time comes. */
export const askNow = (scope: Scope, queue: Queue, interface_id: number) =>
  queueDue(scope, queue, askingKind, [{ about_id: interface_id, urgent: true }])

const asked_types = systems.filter(({ asks }) => asks !== undefined).map(({ definition }) => definition.id)

export const beginAskingJob = job({
  kind: jobKind('begin_asking'),
  cron: '* * * * *',
  title: 'Asking systems of properties',
  run: async ({ tenancy, queue }: { tenancy: Tenancy; queue: Queue }) => {
    const unasked = await tenancy.callFunction(sql<{ customer_id: number; id: number }>`
      select customer_id, id from door_unasked_interfaces(${asked_types}::integer[], ${askingKind.name})`)
    for (const { customer_id, id } of unasked)
      await tenancy.enter(callerOfJob(customer_id, 'property system'), 'write', (scope) => askNow(scope, queue, id))
  },
})

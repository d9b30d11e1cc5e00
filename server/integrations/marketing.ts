// Marketing connections: guests who agreed, and nobody else, are added to the audience; those who unsubscribed there get no more mail,
// and those who withdrew are taken out. Those who are erased here are erased there by work of its own.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { adoptMembers, enrol, erased } from './audience-enrolment.ts'
import { beginErasures, dropErasures } from './audience-erasures.ts'
import { hasLeft, isOver, removeLeaving, sendWaiting, unsubscribe, type AudienceWork } from './audience-sending.ts'
import { meanings } from './audience-states.ts'
import type { Integrations } from './integrations.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Changed, SubscriberState } from './marketing-provider.ts'
import { ProviderFailure } from '#server/connections/provider.ts'
import type { Choices } from '#server/integrations/definition.ts'
import { recordFailure, recordSuccess, sync_s, type Round } from '#server/connections/state.ts'

export interface KeptAudience {
  id: number
  integration_type: string
  tenant_id: string | null
  audience_id: string | null
  audiences: Choices
  changes_since: string | null
  looked_at: string | null
  connected_at: string | null
  /** Nothing is wrong with the connection itself, and a whole round has been made. */
  is_well: boolean
  /** Until the next whole round. */
  whole_in_s: number
}

/** A round that takes longer ends; the next one goes on. */
const round_ms = 45_000
const overlap_ms = 10 * 60_000

const audienceColumns = sql`t.id, t.integration_type, t.tenant_id, t.audience_id, t.audiences, t.changes_since, t.looked_at::text,
  t.connected_at::text,
  t.active and not t.needs_reconnect and t.failures = 0 and t.changes_since is not null as is_well,
  coalesce(extract(epoch from t.changes_since - now()) + ${overlap_ms / 1000 + sync_s}, 0)::float8 as whole_in_s`

export async function keptAudience(scope: Scope, id: number): Promise<KeptAudience | undefined> {
  const [kept] = await scope.run(sql<KeptAudience>`
    select ${audienceColumns} from marketing_integrations as t where t.id = ${id} and ${scope.inReach('marketing_integrations', 't')}`)
  return kept
}

interface Options {
  tenancy: Tenancy
  queue: Pick<Queue, 'send'>
  integrations: Integrations
}

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment))

function workOf({ tenancy, integrations }: Omit<Options, 'queue'>, caller: Caller, kept: KeptAudience) {
  const { id, integration_type, tenant_id } = kept
  const { provider, ask } = integrations.marketing.use(caller, id, integration_type)
  if (tenant_id === null) throw new ProviderFailure('reconnect', `Please reconnect ${provider.definition.name}.`)
  return { tenancy, caller, id, provider, ask, tenant_id, until: Date.now() + round_ms }
}

/** The round that is due: the whole one each hour and after a failure, and between these the short one. */
export async function keepAudience(options: Options, customer_id: number, id: number): Promise<Round> {
  const caller = callerOfJob(customer_id, 'marketing')
  const kept = await options.tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
  const isWhole = !kept?.is_well || kept.whole_in_s <= 0
  return isWhole ? syncMarketing(options, customer_id, id) : tellAudience(options, customer_id, id)
}

/** The whole round: everybody is compared, and the provider is asked who has changed there. */
export async function syncMarketing(options: Options, customer_id: number, id: number): Promise<Round> {
  const { tenancy, queue } = options
  const caller = callerOfJob(customer_id, 'marketing')
  const kept = await tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
  if (!kept) return 'gone'
  const connection = { kind: marketing, ...kept }
  let isLeft = false
  try {
    const account = workOf(options, caller, kept)
    const audiences = await account.provider.audiences(account.ask, account.tenant_id)
    const columns: Record<string, unknown> = { audiences: JSON.stringify(audiences) }
    const { audience_id } = kept
    if (audience_id !== null) {
      if (!audiences.some((one) => one.id === audience_id))
        throw new ProviderFailure('gone', 'The audience was removed. Disconnect, connect again and choose another.')
      const since = new Date(Date.now() - overlap_ms)
      const work = { ...account, audience_id }
      const of = { ...work, integration_type: kept.integration_type }
      await tenancy.enter(caller, 'write', async (scope) => {
        const { moved, gone } = await adoptMembers(scope, of, audiences)
        await dropErasures(scope, gone)
        if (moved.length > 0) await beginErasures(scope, queue, { id, members: moved })
      })
      await look(work, null)
      await removeLeaving(work)
      // Unsubscribed people must be known before anybody is sent.
      await readChanges(work, dateOf(kept.changes_since))
      const sending = { ...work, until: Date.now() + round_ms }
      await sendWaiting(sending)
      isLeft = isOver(work) || isOver(sending)
      columns['changes_since'] = since
    }
    await recordSuccess(tenancy, caller, connection, columns)
    return { again_s: isLeft ? 0 : sync_s }
  } catch (error) {
    return recordFailure(tenancy, caller, connection, error)
  }
}

/** The short round, between whole ones: whoever agreed or withdrew since the last one is told. */
export async function tellAudience(options: Options, customer_id: number, id: number): Promise<Round> {
  const { tenancy } = options
  const caller = callerOfJob(customer_id, 'marketing')
  const kept = await tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
  if (!kept) return 'gone'
  const { audience_id, looked_at, is_well, whole_in_s } = kept
  if (!is_well || audience_id === null) return { again_s: 0 }
  try {
    const work = { ...workOf(options, caller, kept), audience_id }
    await look(work, looked_at)
    await removeLeaving(work)
    await sendWaiting(work)
    return { again_s: isOver(work) ? 0 : whole_in_s }
  } catch (error) {
    return recordFailure(tenancy, caller, { kind: marketing, ...kept }, error)
  }
}

/** Looks at what has changed here. A transaction is seen when it ends, so a little is looked at again. */
async function look({ tenancy, caller, id }: AudienceWork, before: string | null) {
  const [{ now, since } = { now: null, since: null }] = await tenancy.enter(caller, 'read', (scope) =>
    scope.run(sql<{ now: string | null; since: string | null }>`
      select now()::text as now, (${before}::timestamptz - interval '2 minutes')::text as since`),
  )
  await enrol((work) => tenancy.enter(caller, 'write', work), id, since)
  await tenancy.enter(caller, 'write', (scope) => scope.change('marketing_integrations', [id], { looked_at: now }))
}

/** Those whom a first look has to know; afterwards everybody who has changed. */
const first_states = ['unsubscribed', 'cleaned', 'archived', 'transactional'] as const
const all_states = [...first_states, 'pending', 'subscribed'] as const

async function readChanges(work: AudienceWork, since: Date | null) {
  const { tenancy, caller, id, provider } = work
  for (const state of since === null ? first_states : all_states)
    for await (const page of provider.inState(work, state, since))
      await tenancy.enter(caller, 'write', (scope) =>
        state === 'unsubscribed'
          ? withdrawAll(scope, id, page)
          : follow(scope, id, { page, state, provider: provider.definition.name }),
      )
}

/** Withdraws the consent of people who unsubscribed there, unless that is known already. */
async function withdrawAll(scope: Scope, id: number, page: Changed[]) {
  const keys = page.map((one) => one.subscriber_key)
  const known = await scope.run(sql<ColumnsOf<'marketing_members', 'subscriber_key'>>`
    select distinct t.subscriber_key from marketing_members as t
    where t.marketing_integration_id = ${id} and t.subscriber_key = any(${keys})
      and not (t.state = 'unsubscribed' and t.provider_state = 'unsubscribed') and ${scope.inReach('marketing_members', 't')}`)
  const news = new Set(known.map((one) => one.subscriber_key))
  for (const one of page) if (news.has(one.subscriber_key)) await unsubscribe(scope, id, one)
}

/** Those who were sent, and are in another state there now. */
async function follow(
  scope: Scope,
  id: number,
  { page, state, provider }: { page: Changed[]; state: SubscriberState; provider: string },
) {
  const keys = page.map((one) => one.subscriber_key)
  const meaning = meanings[state]
  await scope.change(
    'marketing_members',
    sql`(t.marketing_integration_id = ${id} and t.subscriber_key = any(${keys}) and t.state in ('sent', 'refused')
      and t.provider_state is distinct from ${state})`,
    { state: meaning.state, provider_state: state, reason: meaning.reason(provider) },
  )
  // Who withdrew, and whom the provider refused to take out, was taken out there.
  if (meaning.state !== 'sent')
    await scope.change(
      'marketing_members',
      sql<boolean>`(t.marketing_integration_id = ${id} and t.subscriber_key = any(${keys}) and t.state = 'leaving'
        and t.refused_at is not null and not ${erased})`,
      hasLeft(state),
    )
}

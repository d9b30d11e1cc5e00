// Audience erasures: the due work that erases at a provider, for good, a guest who was erased here. It is queued in the transaction that
// erases them (erase_from_audiences in the database).
//
// What is left of them here is the key by which the provider knows them. Whether a call of which no answer came has erased them is found
// out by looking whether they are there still.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { jobMessage, ProviderFailure } from '#server/connections/provider.ts'
import { recordFailure } from '#server/connections/state.ts'
import {
  dropDue,
  dueKind,
  forThreeDays,
  queueDue,
  TriedInVain,
  wake,
  type DueWork,
  type Failed,
  type Held,
  type Settle,
} from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { agreed, erased, stillAgreed } from './audience-enrolment.ts'
import type { Integrations } from './integrations.ts'
import type { AskedAudience, Contact, MarketingProvider } from './marketing-provider.ts'

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

/** About a member of an audience whose guest was erased. The functions erase_from_audiences and door_lost_erasures have its name, too. */
export const erasureKind = dueKind('audience_erasure')

/** The first wait after a failure. */
const retry_s = 30
/** How long the rest of a connection waits when the provider did not take a call and does not say for how long. */
const lane_wait_s = 10
const given_up_after_s = 72 * 3600
/** Longer than a call of a round can take that is sending the guest: it ends first. */
const call_max_s = 120

/** Has a node begin with what was just queued. */
export const wakeErasures = (queue: Pick<Queue, 'send'>) => wake(queue, erasureKind.name)

/** Begins anew with a new consent, whatever became of them before: all erasures of a connection, or those of some members. */
export async function beginErasures(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  { id, members = null }: { id: number; members?: readonly number[] | null },
) {
  const all = await scope.run(sql<{ about_id: number; lane: string; is_unsure: boolean }>`
    select t.id as about_id, 'marketing ' || t.marketing_integration_id as lane, true as is_unsure from marketing_members as t
    where t.marketing_integration_id = ${id} and (${members}::integer[] is null or t.id = any(${members})) and ${erased}
      and ${scope.inReach('marketing_members', 't')} order by t.id`)
  await queueDue(scope, queue, erasureKind, all)
}

/** For members who are kept no longer. */
export const dropErasures = (scope: Scope, members: readonly number[]) => dropDue(scope, erasureKind, members)

interface Leaving {
  id: number
  integration_id: number
  integration_type: string
  connected_at: string | null
  tenant_id: string
  audience_id: string
  subscriber_key: string
  /** They may be there: a call was made, or another release has taken them. */
  was_sent: boolean
  /** Another guest has agreed with the same address. */
  stays: boolean
  /** How long a call may take that is sending them. */
  busy_s: number
}

/** Undefined: they are erased there already, or the connection is not in use: with it they are found anew. */
async function leavingMember(scope: Scope, id: number): Promise<Leaving | undefined> {
  const [member] = await scope.run(sql<Leaving>`
    select t.id, i.id as integration_id, i.integration_type, i.connected_at::text, i.tenant_id, i.audience_id, t.subscriber_key,
      not (t.state = 'waiting' and t.attempts = 0 and t.sent_at is null) as was_sent,
      exists (select from guests as other where other.customer_id = t.customer_id and md5(lower(other.email)) = t.subscriber_key
        and other.email is not null and other.deleted_at is null and exists (${agreed('other')})) as stays,
      case when t.due_at between now() and now() + make_interval(secs => ${call_max_s})
        then ceil(extract(epoch from t.due_at - now()))::integer else 0 end as busy_s
    from marketing_members as t
    join marketing_integrations as i on i.customer_id = t.customer_id and i.id = t.marketing_integration_id and i.active
      and not i.needs_reconnect and i.tenant_id is not null and i.audience_id is not null
      and ${scope.inReach('marketing_integrations', 'i')}
    join customers as c on c.id = t.customer_id and c.active
    where t.id = ${id} and ${erased} and ${scope.inReach('marketing_members', 't')}`)
  return member
}

async function eraseThere(options: Options, held: Held): Promise<Settle | void> {
  const { about_id, caller } = held
  const member = await options.tenancy.enter(caller, 'read', (scope) => leavingMember(scope, about_id))
  if (!member) return
  const { busy_s, was_sent, stays } = member
  if (busy_s > 0) return () => Promise.resolve({ waits_s: busy_s })
  if (was_sent && !stays) await callProvider(options, held, member)
  return (scope) => settleErased(scope, member)
}

async function callProvider({ tenancy, integrations }: Options, held: Held, member: Leaving): Promise<void> {
  const { caller, was_unsure } = held
  const { integration_id, integration_type, tenant_id, audience_id, subscriber_key } = member
  const { provider, ask } = integrations.marketing.use(caller, integration_id, integration_type)
  const audience = { ask, tenant_id, audience_id }
  let contact: Contact | null | undefined
  try {
    if (was_unsure) {
      contact = await provider.find(audience, subscriber_key)
      if (contact === null) return
    }
    await provider.erase(audience, subscriber_key)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    // Then no call before has erased them, either.
    const isLookedUp = !was_unsure || contact !== undefined
    if (error.failing === 'refused' && isLookedUp) {
      contact ??= await lookedUp(provider, audience, subscriber_key)
      if (contact === null) return
    }
    throw await inVain({ tenancy, caller, held, member, provider }, error, { isLookedUp, contact })
  }
}

/** What helps a person who erases the contact there; undefined where it is not answered. */
const lookedUp = (provider: MarketingProvider, audience: AskedAudience, key: string) =>
  provider.find(audience, key).catch((error: unknown) => {
    if (error instanceof ProviderFailure) return undefined
    throw error
  })

interface Tried {
  tenancy: Tenancy
  caller: Caller
  held: Held
  member: Leaving
  provider: MarketingProvider
}

/** How it failed, as the mechanism of due work has it. */
async function inVain(
  { tenancy, caller, held, member, provider }: Tried,
  failure: ProviderFailure,
  { isLookedUp, contact }: { isLookedUp: boolean; contact: Contact | null | undefined },
): Promise<TriedInVain> {
  const { failing, retry_after_s, for_all } = failure
  const { name } = provider.definition
  // Where it asks to wait with all calls, it has not taken this one.
  const is_sure = isLookedUp && (failing !== 'later' || for_all)
  if (failing === 'reconnect') {
    const { integration_id: id, connected_at } = member
    const noted = await recordFailure(tenancy, caller, { kind: marketing, id, connected_at }, failure)
    return noted instanceof ProviderFailure
      ? new TriedInVain(failure.message, { hopeless: true, is_sure, cause: failure })
      : new TriedInVain(`${name} was connected anew meanwhile. Foyer will try again.`, { is_sure })
  }
  if (failing !== 'later') {
    const place = contact?.page == null ? '' : `, at ${contact.page}`
    const sentence = `${withoutAddresses(failure.message)} Erase the contact there yourself${place}. Then dismiss this.`
    return new TriedInVain(sentence, { hopeless: true, is_sure, cause: failure })
  }
  const isTired =
    held.tries >= erasureWork.tries_max || Date.now() - held.created_at.getTime() > given_up_after_s * 1000
  return new TriedInVain(
    isTired
      ? `${failure.message} It was tried for three days. Once ${name} works, try again: Foyer looks first whether the contact is there.`
      : jobMessage(failure),
    { hopeless: isTired, retry_after_s, is_sure, cause: failure, ...(!isTired && { lane: 'waits', lane_wait_s }) },
  )
}

/** What the provider says may have the address of somebody who was erased. */
const withoutAddresses = (sentence: string) => sentence.replace(/[^\s“”"'<>()]+@[^\s“”"'<>()]+/g, '…')

async function settleErased(scope: Scope, { id, integration_id, subscriber_key, stays }: Leaving): Promise<void> {
  // The name that stands there may be that of the one who left.
  if (stays)
    await scope.change(
      'marketing_members',
      sql<boolean>`(t.marketing_integration_id = ${integration_id} and t.subscriber_key = ${subscriber_key} and t.state = 'sent'
        and ${stillAgreed('t')})`,
      { due_at: sql`now()` },
    )
  await scope.unlink('marketing_members', { id })
}

/** Also for those who read the connection. Where only a new consent helps, the connection says so, and it begins anew with that. */
async function noteFailed(
  scope: Scope,
  { about_id }: Pick<Held, 'about_id'>,
  { error, last_error }: Failed,
): Promise<'forget' | undefined> {
  await scope.change('marketing_members', sql<boolean>`(t.id = ${about_id} and ${erased})`, { reason: last_error })
  const failure = error instanceof TriedInVain ? error.how.cause : undefined
  return failure instanceof ProviderFailure && failure.failing === 'reconnect' ? 'forget' : undefined
}

export const erasureWork: DueWork<Options> = {
  kind: erasureKind,
  // Also where the connection is no more.
  about: (scope) => sql`(select concat('A guest who was erased, in “', coalesce((
        select a ->> 'name' from jsonb_array_elements(i.audiences::jsonb) as a where a ->> 'id' = i.audience_id), i.audience_id),
      '” of ', coalesce(i.name, i.integration_type))
    from marketing_members as m join marketing_integrations as i on i.customer_id = m.customer_id and i.id = m.marketing_integration_id
    where m.id = t.about_id and ${scope.inReach('marketing_members', 'm')})`,
  promise: 'once',
  at_once: 8,
  of_one_customer: 4,
  of_one_lane: 2,
  ...forThreeDays(retry_s),
  run: eraseThere,
  failed: noteFailed,
  finds: sql`select customer_id, about_id, lane, is_unsure from door_lost_erasures(${erasureKind.name})`,
  // As if it had just been queued, so that it is tried for days again.
  again: (scope, about_ids, queue) =>
    queueDue(
      scope,
      queue,
      erasureKind,
      about_ids.map((about_id) => ({ about_id })),
    ),
  // Nothing is left of them here, either: else it would be found again.
  dismissed: (scope, about_ids) =>
    scope.run(sql`
      delete from marketing_members as t where t.id = any(${about_ids}) and ${erased} and ${scope.inReach('marketing_members', 't')}`),
}

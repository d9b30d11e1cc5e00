// Audience sending: tells an audience of one guest after the other. Each has waits and tries of its own, so that one for whom it fails
// holds up nobody; and each is asked again just before its call: whether the connection stands, and whether they still agree.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { agreed, erased, sentAs, stillAgreed } from './audience-enrolment.ts'
import { meanings } from './audience-states.ts'
import type {
  AskedAudience,
  Changed,
  FoundSubscriber,
  MarketingProvider,
  Subscriber,
  SubscriberState,
} from './marketing-provider.ts'
import { ProviderFailure, jobMessage } from '#server/connections/provider.ts'

export interface AudienceWork extends AskedAudience {
  tenancy: Tenancy
  caller: Caller
  id: number
  provider: MarketingProvider
  /** When the round ends, though something may be left: the next one goes on. */
  until: number
}

/** The first wait of a guest after a failure; each further one doubles it, up to `retry_max_s`. */
const retry_s = 60
const retry_max_s = 6 * 3600
/** Failures of as many guests in a row are the provider's, not theirs. */
const streak_max = 5
/** From as many new guests on they are sent together. */
const together_min = 10

export const isOver = ({ until }: Pick<AudienceWork, 'until'>) => Date.now() >= until
const nextTry = sql`now() + make_interval(secs => least(${retry_max_s}, ${retry_s} * power(2, least(t.attempts, 12))))`
const isWaiting = sql`coalesce(t.due_at, t.created_at) <= now()`
/** The connection of a member `t`: removed or disabled, nothing is told any more. */
const connected = (
  scope: Scope,
) => sql`exists (select from marketing_integrations as i where i.customer_id = t.customer_id
  and i.id = t.marketing_integration_id and i.active and ${scope.inReach('marketing_integrations', 'i')})`

/** How often it failed in a row, and what ends a round: a failure that is not of one guest. */
class Streak {
  #length = 0
  ended() {
    this.#length = 0
  }
  /** Returns whether others may be tried. */
  failed({ failing, for_all }: ProviderFailure) {
    if (failing === 'refused') return true
    this.#length++
    return failing === 'later' && !for_all && this.#length < streak_max
  }
}

interface Taken {
  id: number
  subscriber_key: string
}
interface Leaving extends Taken {
  stays: boolean
}

/**
 * Takes the next one, and marks that it may have been told from now on: a node that dies then is not waited for. Those who were erased here
 * are erased by work of its own.
 */
async function takeLeaving({ id }: AudienceWork, scope: Scope): Promise<Leaving | undefined> {
  const [taken] = await scope.run(sql<Leaving>`
    with next as (select t.id from marketing_members as t
      where t.marketing_integration_id = ${id} and t.state = 'leaving' and t.refused_at is null and not ${erased}
        and ${isWaiting} and ${connected(scope)} and ${scope.inReach('marketing_members', 't')}
      order by t.attempts, t.id limit 1 for no key update of t skip locked)
    update marketing_members as t set attempts = t.attempts + 1, due_at = ${nextTry}
    from next where t.id = next.id
    returning t.id, t.subscriber_key, exists (select from marketing_members as other
      where other.customer_id = t.customer_id and other.marketing_integration_id = t.marketing_integration_id
        and other.subscriber_key = t.subscriber_key and other.id <> t.id
        and other.state in ('waiting', 'sent', 'refused') and ${stillAgreed('other')}) as stays`)
  return taken
}

/** Removes from the audience those who withdrew. */
export async function removeLeaving(work: AudienceWork) {
  const { tenancy, caller, provider } = work
  const streak = new Streak()
  while (!isOver(work)) {
    const leaving = await tenancy.enter(caller, 'write', (scope) => takeLeaving(work, scope))
    if (!leaving) return
    try {
      // `stays`: another guest has agreed with the same address.
      if (!leaving.stays) await provider.withdraw(work, leaving.subscriber_key)
      await tenancy.enter(caller, 'write', (scope) => settleLeft(work, scope, leaving))
      streak.ended()
    } catch (error) {
      await recordFailed(work, [leaving.id], error, streak)
    }
  }
}

async function settleLeft({ id }: AudienceWork, scope: Scope, { id: member_id, subscriber_key, stays }: Leaving) {
  // The name that stands there may be that of the one who left.
  if (stays)
    await scope.change(
      'marketing_members',
      sql`(t.marketing_integration_id = ${id} and t.subscriber_key = ${subscriber_key} and t.state = 'sent' and t.id <> ${member_id})`,
      { due_at: sql`now()` },
    )
  // Who was erased meanwhile is still to be erased there.
  const moved = sql`exists (select from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id and g.deleted_at is null
    and md5(lower(g.email)) is distinct from t.subscriber_key)`
  // One with another address now, or with none, begins anew if they agree.
  await scope.run(sql`
    delete from marketing_members as t where t.id = ${member_id} and t.state = 'leaving' and ${moved}
      and ${scope.inReach('marketing_members', 't')}`)
  const isThis = sql<boolean>`(t.id = ${member_id} and t.state = 'leaving' and not ${erased})`
  return scope.change('marketing_members', isThis, hasLeft(null))
}

type Waiting = Taken & Omit<Subscriber, 'agreed_at'> & { agreed_at: string }

/** Those who have not been tried yet go together, the others one by one. */
async function takeWaiting({ id, provider }: AudienceWork, scope: Scope): Promise<Waiting[]> {
  const waiting = sql`t.marketing_integration_id = ${id} and (t.state = 'waiting' and ${isWaiting} or t.state = 'sent'
    and t.due_at <= now())
    and ${connected(scope)} and ${stillAgreed('t')} and ${scope.inReach('marketing_members', 't')}`
  const next = async (more: ReturnType<typeof sql>, count: number) => {
    const found = await scope.run(sql<ColumnsOf<'marketing_members', 'id'>>`
      select t.id from marketing_members as t where ${waiting} and ${more}
      order by t.attempts, t.id limit ${count} for no key update of t skip locked`)
    return found.map((one) => one.id)
  }
  const fresh = await next(
    sql`t.state = 'waiting' and t.attempts = 0 and not t.returns and t.sent_at is null`,
    provider.added_max,
  )
  const ids = fresh.length >= together_min ? fresh : await next(sql`true`, 1)
  const taken = await scope.run(sql<Waiting>`
    update marketing_members as t set attempts = t.attempts + 1, due_at = ${nextTry}, sent_as = ${sentAs}, consent_record_id = r.id
    from guests as g left join properties as p on p.customer_id = g.customer_id and p.id = g.property_id,
      lateral (select r.id, r.granted_at, r.ip from consent_records as r where r.id in (${agreed('g')})) as r
    where t.id = any(${ids}) and g.customer_id = t.customer_id and g.id = t.guest_id and ${scope.inReach('guests', 'g')}
      and ${scope.inReach('marketing_members', 't')}
    returning t.id, t.subscriber_key, g.email, g.name, g.language, p.name as property, r.granted_at as agreed_at, host(r.ip) as ip,
      g.confirmed_at is not null as confirmed, t.returns as again, t.state = 'sent' as known`)
  return taken
}

export async function sendWaiting(work: AudienceWork) {
  const { tenancy, caller } = work
  const streak = new Streak()
  while (!isOver(work)) {
    const taken = await tenancy.enter(caller, 'write', (scope) => takeWaiting(work, scope))
    if (taken.length === 0) return
    const all = taken.map((one) => ({ ...one, agreed_at: new Date(one.agreed_at) }))
    const [only, another] = all
    if (another) await sendTogether(work, all, streak)
    else if (only) await sendOne(work, only, streak)
  }
}

type Sent = Taken & Subscriber

async function sendOne(work: AudienceWork, one: Sent, streak: Streak) {
  const { tenancy, caller, provider } = work
  try {
    const found = await provider.upsert(work, one)
    await tenancy.enter(caller, 'write', (scope) => settle(work, scope, [one], found))
    streak.ended()
  } catch (error) {
    await recordFailed(work, [one.id], error, streak)
  }
}

/** Whoever is not settled by the answer is tried for themselves. */
async function sendTogether(work: AudienceWork, all: Sent[], streak: Streak) {
  const { tenancy, caller, provider } = work
  let states = new Map<string, SubscriberState>()
  try {
    states = await provider.add(work, all)
  } catch (error) {
    const is_theirs = error instanceof ProviderFailure && !error.for_all && error.failing !== 'reconnect'
    if (!is_theirs)
      return recordFailed(
        work,
        all.map((one) => one.id),
        error,
        streak,
      )
  }
  await tenancy.enter(caller, 'write', async (scope) => {
    for (const [state, of] of Map.groupBy(all, (one) => states.get(one.subscriber_key)))
      if (state !== undefined) await settle(work, scope, of, { state, at: null })
      else
        await scope.change(
          'marketing_members',
          of.map((one) => one.id),
          { due_at: sql`now()` },
        )
  })
}

/** What is done as the provider's state of some guests says. */
async function settle({ id, provider }: AudienceWork, scope: Scope, all: readonly Taken[], found: FoundSubscriber) {
  const { state, withdraws, reason } = meanings[found.state]
  if (withdraws) {
    for (const { subscriber_key } of all) await unsubscribe(scope, id, { subscriber_key, at: found.at })
    return
  }
  const ids = all.map((one) => one.id)
  await scope.change('marketing_members', sql<boolean>`(t.id = any(${ids}) and t.state in ('waiting', 'sent'))`, {
    ...settled,
    state,
    provider_state: found.state,
    reason: reason(provider.definition.name),
    ...(state === 'sent' ? { sent_at: sql`now()` } : {}),
  })
}
const settled = { attempts: 0, due_at: null, returns: false, refused_at: null }

/** Of one who withdrew and is not written to any more. */
export const hasLeft = (provider_state: SubscriberState | null) => ({
  ...settled,
  state: 'unsubscribed',
  provider_state,
  reason: 'They withdrew their consent.',
})

/** The person's own act. A consent given after they left is kept: so they are not in the audience, and may agree once more. */
export async function unsubscribe(scope: Scope, integration_id: number, { subscriber_key, at }: Changed) {
  const left_at = sql`coalesce(${at}::timestamptz, now())`
  await scope.run(sql`
    update consent_records as t set withdrawn_at = ${left_at}, withdrawn_via = 'audience'
    where t.purpose = 'marketing_email' and t.withdrawn_at is null and t.granted_at <= ${left_at}
      and t.guest_id in (select m.guest_id from marketing_members as m where m.marketing_integration_id = ${integration_id}
        and m.subscriber_key = ${subscriber_key} and ${scope.inReach('marketing_members', 'm')})
      and ${scope.inReach('consent_records', 't')}`)
  // Those who have agreed again since are asked by mail.
  const those = sql`t.marketing_integration_id = ${integration_id} and t.subscriber_key = ${subscriber_key} and not ${erased}
    and not (t.state = 'waiting' and t.returns and ${stillAgreed('t')})`
  const unsubscribed = { ...settled, state: 'unsubscribed', provider_state: 'unsubscribed' }
  await scope.change('marketing_members', sql`(${those} and ${stillAgreed('t')})`, {
    ...unsubscribed,
    reason:
      'They unsubscribed there before they agreed here. Their consent stands: they are asked by mail if they agree again.',
  })
  await scope.change('marketing_members', sql`(${those} and not ${stillAgreed('t')})`, {
    ...unsubscribed,
    reason: meanings.unsubscribed.reason(''),
  })
}

/** Why stands with each. What is not theirs does not count as their try, and ends the round. */
async function recordFailed(
  { tenancy, caller }: AudienceWork,
  ids: number[],
  error: unknown,
  streak: Streak,
): Promise<void> {
  if (!(error instanceof ProviderFailure)) throw error
  const isFinal = error.failing === 'refused'
  const goesOn = streak.failed(error)
  const reason = jobMessage(error)
  await tenancy.enter(caller, 'write', async (scope) => {
    const those = (state: 'waiting' | 'sent' | 'leaving') => sql<boolean>`(t.id = any(${ids}) and t.state = ${state})`
    const again = goesOn ? { reason } : { reason, attempts: sql`greatest(attempts - 1, 0)`, due_at: sql`now()` }
    await scope.change(
      'marketing_members',
      those('waiting'),
      isFinal ? { state: 'refused', reason, due_at: null } : again,
    )
    // They are in the audience, under the name that was sent before.
    await scope.change('marketing_members', those('sent'), isFinal ? { reason, due_at: null } : again)
    const stays = {
      reason: `${reason} They withdrew their consent here: unsubscribe them there yourself.`,
      refused_at: sql`now()`,
      due_at: null,
    }
    await scope.change(
      'marketing_members',
      sql<boolean>`(${those('leaving')} and not ${erased})`,
      isFinal ? stays : again,
    )
  })
  if (!goesOn) throw error
}

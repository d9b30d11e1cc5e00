// Marketing connections: guests who agreed, and nobody else, are added to the audience; those who unsubscribe there get no more mail,
// and those who are erased here are erased there.
import { sql, type RawBuilder } from 'kysely'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { Integrations } from './integrations.ts'
import type { Left, MarketingProvider, Subscriber } from './marketing-provider.ts'
import { ProviderFailure, jobMessage, type Ask, type Choices } from './provider.ts'
import { recordFailure, recordSuccess } from './connection-state.ts'

export interface KeptAudience {
  id: number
  integration_type: string
  tenant_id: string | null
  audience_id: string | null
  audiences: Choices
  changes_since: string | null
}

export async function keptAudience(scope: Scope, id: number): Promise<KeptAudience | undefined> {
  const [kept] = await scope.run(sql<KeptAudience>`
    select t.id, t.integration_type, t.tenant_id, t.audience_id, t.audiences, t.changes_since
    from marketing_integrations as t where t.id = ${id} and ${scope.inReach('marketing_integrations', 't')}`)
  return kept
}

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

/** The audience of a connection, and how its provider is called. */
interface Work {
  tenancy: Tenancy
  caller: Caller
  id: number
  provider: MarketingProvider
  ask: Ask
  tenant_id: string
  audience_id: string
}

/** Guests per transaction. */
const enrolled_per_step = 1000
const overlap_ms = 10 * 60_000
const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment))

export async function syncMarketing({ tenancy, integrations }: Options, customer_id: number, id: number) {
  const caller = callerOfJob(customer_id, 'marketing')
  const connection = { kind: 'marketing', id } as const
  const kept = await tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
  if (!kept) return
  try {
    const { provider, ask } = integrations.use(caller, connection, kept.integration_type)
    const { tenant_id, audience_id } = kept
    if (tenant_id === null) throw new ProviderFailure('reconnect', `Please reconnect ${provider.definition.name}.`)
    const audiences = await provider.audiences(ask, tenant_id)
    const columns: Record<string, unknown> = { audiences: JSON.stringify(audiences) }
    if (audience_id !== null) {
      if (!audiences.some((one) => one.id === audience_id))
        throw new ProviderFailure('gone', 'The audience was removed. Disconnect, connect again and choose another.')
      const since = new Date(Date.now() - overlap_ms)
      const work = { tenancy, caller, id, provider, ask, tenant_id, audience_id }
      await tenancy.enter(caller, 'write', (scope) => adoptMembers(scope, work, audiences))
      // Unsubscribed people must be known before anybody is sent.
      for await (const page of provider.unsubscribed(ask, tenant_id, audience_id, dateOf(kept.changes_since)))
        await tenancy.enter(caller, 'write', (scope) => withdrawUnsubscribed(scope, id, page))
      await enrol(work)
      await removeLeaving(work)
      await sendWaiting(work)
      columns['changes_since'] = since
    }
    await recordSuccess(tenancy, caller, connection, columns)
  } catch (error) {
    await recordFailure(tenancy, caller, connection, error)
  }
}

/**
 * Takes over the members of former connections to the same audience, so that those who were erased or have withdrawn meanwhile are
 * removed from it. For audiences of the account that no longer exist, there is nothing to erase.
 */
async function adoptMembers(scope: Scope, { id, tenant_id, audience_id }: Work, audiences: Choices) {
  const former = (
    audience: RawBuilder<unknown>,
  ) => sql`t.marketing_integration_id in (select i.id from marketing_integrations as i
    where i.customer_id = t.customer_id and i.tenant_id = ${tenant_id} and i.id <> ${id} and i.deleted_at is not null and ${audience})
    and ${scope.inReach('marketing_members', 't')}`
  const same = former(sql`i.audience_id = ${audience_id}`)
  await scope.run(sql`
    update marketing_members as t set marketing_integration_id = ${id}
    where ${same} and not exists (select from marketing_members as other where other.customer_id = t.customer_id
      and other.guest_id = t.guest_id and (other.marketing_integration_id = ${id}
        or other.id > t.id and other.marketing_integration_id in (select i.id from marketing_integrations as i
          where i.customer_id = t.customer_id and i.tenant_id = ${tenant_id} and i.audience_id = ${audience_id})))`)
  await scope.run(sql`delete from marketing_members as t where ${same}`)
  const there = audiences.map((one) => one.id)
  await scope.run(sql`delete from marketing_members as t where ${former(sql`i.audience_id <> all(${there})`)}`)
}

/** Withdraws the consent of people who unsubscribed there. */
async function withdrawUnsubscribed(scope: Scope, integration_id: number, page: Left[]) {
  for (const { subscriber_key, at } of page) await unsubscribe(scope, integration_id, subscriber_key, at)
}

async function unsubscribe(scope: Scope, integration_id: number, subscriber_key: string, at: Date | null) {
  // A consent given after they left is a new one, and is kept.
  const left_at = sql`coalesce(${at}::timestamptz, now())`
  await scope.run(sql`
    update consent_records as t set withdrawn_at = ${left_at}, withdrawn_via = 'audience'
    where t.purpose = 'marketing_email' and t.withdrawn_at is null and t.granted_at <= ${left_at}
      and t.guest_id in (select m.guest_id from marketing_members as m where m.marketing_integration_id = ${integration_id}
        and m.subscriber_key = ${subscriber_key} and ${scope.inReach('marketing_members', 'm')})
      and ${scope.inReach('consent_records', 't')}`)
  await scope.change(
    'marketing_members',
    sql`(t.marketing_integration_id = ${integration_id} and t.subscriber_key = ${subscriber_key} and not ${erased})`,
    { state: 'unsubscribed', reason: 'They unsubscribed.' },
  )
}

const agreed = (guest: string) => sql`
  select r.id from consent_records as r where r.customer_id = ${sql.ref(`${guest}.customer_id`)} and r.guest_id = ${sql.ref(`${guest}.id`)}
    and r.purpose = 'marketing_email' and r.withdrawn_at is null order by r.granted_at desc, r.id desc limit 1`

/** Queues guests who agreed, and those who agreed again after they had left. */
async function enrol({ tenancy, caller, id }: Work) {
  const step = () =>
    tenancy.enter(caller, 'write', (scope) =>
      scope.run(sql`
        insert into marketing_members (marketing_integration_id, guest_id, subscriber_key, consent_record_id)
        select ${id}, t.id, md5(lower(t.email)), consent.id
        from guests as t, lateral (${agreed('t')}) as consent
        where t.email is not null and ${scope.inReach('guests', 't')}
          and not exists (select from marketing_members as m where m.customer_id = t.customer_id
            and m.marketing_integration_id = ${id} and m.guest_id = t.id)
        order by t.id limit ${enrolled_per_step}
        on conflict do nothing returning id`),
    )
  while ((await step()).length === enrolled_per_step);
  await tenancy.enter(caller, 'write', async (scope) => {
    await scope.run(sql`
      update marketing_members as t set state = 'waiting', reason = null, attempts = 0, consent_record_id = consent.id
      from guests as g, lateral (${agreed('g')}) as consent
      where t.marketing_integration_id = ${id} and t.state = 'unsubscribed' and g.customer_id = t.customer_id and g.id = t.guest_id
        and t.consent_record_id is distinct from consent.id and ${scope.inReach('marketing_members', 't')}`)
    // Guests who withdrew before they were sent were never there.
    const withdrawn = sql`t.marketing_integration_id = ${id} and not exists (
      select from guests as g, lateral (${agreed('g')}) as consent where g.customer_id = t.customer_id and g.id = t.guest_id)`
    await scope.run(sql`
      delete from marketing_members as t
      where t.state in ('waiting', 'refused') and t.sent_at is null and ${withdrawn} and ${scope.inReach('marketing_members', 't')}`)
    await scope.change('marketing_members', sql`(t.state in ('waiting', 'sent', 'refused') and ${withdrawn})`, {
      state: 'leaving',
      reason: null,
    })
    // Erased guests who had unsubscribed are erased there, too.
    await scope.change(
      'marketing_members',
      sql`(t.marketing_integration_id = ${id} and t.state = 'unsubscribed' and ${erased})`,
      { state: 'leaving' },
    )
  })
}

/** Whether the guest of a member was erased. */
export const erasedGuest = (member: string) => sql`not exists (
  select from guests as g where g.customer_id = ${sql.ref(`${member}.customer_id`)} and g.id = ${sql.ref(`${member}.guest_id`)}
    and g.deleted_at is null)`
const erased = erasedGuest('t')

interface Leaving {
  id: number
  subscriber_key: string
  erased: boolean
  stays: boolean
}

/** Removes from the audience those who withdrew, and erases there those who were erased here. */
async function removeLeaving({ tenancy, caller, id, provider, ask, tenant_id, audience_id }: Work) {
  const leaving = await tenancy.enter(caller, 'read', (scope) =>
    scope.run(sql<Leaving>`
      select t.id, t.subscriber_key, ${erased} as erased, exists (select from marketing_members as other
          where other.customer_id = t.customer_id and other.marketing_integration_id = t.marketing_integration_id
            and other.subscriber_key = t.subscriber_key and other.id <> t.id
            and other.state in ('waiting', 'sent')) as stays
      from marketing_members as t where t.marketing_integration_id = ${id} and t.state = 'leaving'
        and ${scope.inReach('marketing_members', 't')} order by t.id`),
  )
  for (const { id: member_id, subscriber_key, erased: isErased, stays } of leaving) {
    // `stays`: another member has the same address.
    if (!stays && isErased) await provider.erase(ask, tenant_id, audience_id, subscriber_key)
    else if (!stays) await provider.withdraw(ask, tenant_id, audience_id, subscriber_key)
    await tenancy.enter(caller, 'write', async (scope) => {
      if (isErased) await scope.unlink('marketing_members', { id: member_id })
      else
        await scope.change('marketing_members', [member_id], {
          state: 'unsubscribed',
          reason: 'They withdrew their consent.',
        })
    })
  }
}

interface Waiting extends Omit<Subscriber, 'agreed_at'> {
  id: number
  agreed_at: string
  subscriber_key: string
}

async function sendWaiting(work: Work) {
  const { tenancy, caller, id, provider, ask, tenant_id, audience_id } = work
  for (let after = 0; ;) {
    const waiting = await tenancy.enter(caller, 'read', (scope) =>
      scope.run(sql<Waiting>`
        select t.id, t.subscriber_key, g.email, g.name, g.language, p.name as property, r.granted_at as agreed_at, host(r.ip) as ip,
          g.confirmed_at is not null as confirmed, t.sent_at is not null as again
        from marketing_members as t
        join guests as g on g.customer_id = t.customer_id and g.id = t.guest_id and g.email is not null
        join consent_records as r on r.customer_id = t.customer_id and r.id = t.consent_record_id and r.withdrawn_at is null
        left join properties as p on p.customer_id = g.customer_id and p.id = g.property_id
        where t.marketing_integration_id = ${id} and t.state = 'waiting' and t.id > ${after}
          and ${scope.inReach('marketing_members', 't')} and ${scope.inReach('guests', 'g')}
        order by t.id limit 100`),
    )
    for (const subscriber of waiting) {
      after = subscriber.id
      await sendOne({ tenancy, caller, id }, subscriber, () =>
        provider.upsert(ask, tenant_id, audience_id, { ...subscriber, agreed_at: new Date(subscriber.agreed_at) }),
      )
    }
    if (waiting.length < 100) return
  }
}

/** A refusal is recorded on the member; if the provider is out of order, the round ends, and the member shows that. */
async function sendOne(
  { tenancy, caller, id }: Pick<Work, 'tenancy' | 'caller' | 'id'>,
  { id: member_id, subscriber_key }: Waiting,
  send: () => Promise<'sent' | 'unsubscribed'>,
) {
  const settle = (values: Record<string, unknown>) =>
    tenancy.enter(caller, 'write', (scope) => scope.change('marketing_members', [member_id], values))
  try {
    const result = await send()
    if (result === 'sent') await settle({ state: 'sent', reason: null, sent_at: sql`now()` })
    else await tenancy.enter(caller, 'write', (scope) => unsubscribe(scope, id, subscriber_key, null))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const isFinal = error.failing === 'refused'
    await settle({ ...(isFinal && { state: 'refused' }), reason: jobMessage(error), attempts: sql`attempts + 1` })
    if (!isFinal) throw error
  }
}

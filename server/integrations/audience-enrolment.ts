// Audience enrolment: which guests an audience is to be told of: those who agreed, those who withdrew, and those who were erased.
import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Choices } from '#server/integrations/definition.ts'

/** The audience of a connection. */
interface Audience {
  id: number
  integration_type: string
  tenant_id: string
  audience_id: string
}
/** Guests per transaction. */
const enrolled_per_step = 1000
/** A guest who has yet to confirm the address to us is left that time first, so that two mails do not ask them the same. */
const confirmed_within_s = 180

/**
 * Takes over the members of former connections to the same audience, so that those who were erased or have withdrawn meanwhile are
 * removed from it. For audiences of the account that no longer exist, there is nothing to erase. Returns whom it took over, and who is kept
 * no longer.
 */
export async function adoptMembers(
  scope: Scope,
  { id, integration_type, tenant_id, audience_id }: Audience,
  audiences: Choices,
) {
  const ofAccount = sql`i.integration_type = ${integration_type} and i.tenant_id = ${tenant_id}`
  const former = (
    audience: RawBuilder<unknown>,
  ) => sql`t.marketing_integration_id in (select i.id from marketing_integrations as i
    where i.customer_id = t.customer_id and ${ofAccount} and i.id <> ${id} and i.deleted_at is not null and ${audience})
    and ${scope.inReach('marketing_members', 't')}`
  const same = former(sql`i.audience_id = ${audience_id}`)
  const moved = await scope.run(sql<ColumnsOf<'marketing_members', 'id'>>`
    update marketing_members as t set marketing_integration_id = ${id}, refused_at = null
    where ${same} and not exists (select from marketing_members as other where other.customer_id = t.customer_id
      and other.guest_id = t.guest_id and (other.marketing_integration_id = ${id}
        or other.id > t.id and other.marketing_integration_id in (select i.id from marketing_integrations as i
          where i.customer_id = t.customer_id and ${ofAccount} and i.audience_id = ${audience_id})))
    returning t.id`)
  const there = audiences.map((one) => one.id)
  const gone = await scope.run(sql<ColumnsOf<'marketing_members', 'id'>>`
    delete from marketing_members as t where (${same}) or (${former(sql`i.audience_id <> all(${there})`)}) returning t.id`)
  return { moved: moved.map((one) => one.id), gone: gone.map((one) => one.id) }
}

/** The consent of a guest that was given last and stands. */
export const agreed = (guest: string) => sql`
  select r.id from consent_records as r where r.customer_id = ${sql.ref(`${guest}.customer_id`)} and r.guest_id = ${sql.ref(`${guest}.id`)}
    and r.purpose = 'marketing_email' and r.withdrawn_at is null order by r.granted_at desc, r.id desc limit 1`

/** Whether the guest of a member was erased. */
export const erasedGuest = (member: string) => sql`not exists (
  select from guests as g where g.customer_id = ${sql.ref(`${member}.customer_id`)} and g.id = ${sql.ref(`${member}.guest_id`)}
    and g.deleted_at is null)`
export const erased = erasedGuest('t')

/** Whether the guest of a member agrees, with the address that the member stands for. */
export const stillAgreed = (member: string) => sql`exists (
  select from guests as g, lateral (${agreed('g')}) as consent where g.customer_id = ${sql.ref(`${member}.customer_id`)}
    and g.id = ${sql.ref(`${member}.guest_id`)} and g.deleted_at is null and md5(lower(g.email)) = ${sql.ref(`${member}.subscriber_key`)})`

/** A digest of what is sent of a guest `g` at a property `p` besides the address. */
export const sentAs = sql`md5(concat_ws(chr(10), coalesce(g.name, ''), coalesce(g.language, ''), coalesce(p.name, '')))`

/**
 * Finds what has changed, in a transaction for each thousand of new guests.
 * @param since only guests whose consents have changed since; null: all of them, and the names that were sent
 */
export async function enrol(
  enter: (work: (scope: Scope) => Promise<number>) => Promise<number>,
  id: number,
  since: string | null,
): Promise<void> {
  const changed = (
    scope: Scope,
    column: 'id' | 'guest_id',
  ) => sql`(select r.${sql.ref(column)} from consent_records as r
    where r.purpose = 'marketing_email' and greatest(r.created_at, r.confirmed_at, r.withdrawn_at) > ${since}::timestamptz
      and ${scope.inReach('consent_records', 'r')})`
  /** `column` of a guest, or of the member `t` that has one. */
  const among = (scope: Scope, column: 't.id' | 't.guest_id') =>
    since === null ? sql`true` : sql`${sql.ref(column)} in ${changed(scope, 'guest_id')}`
  await enter(async (scope) => {
    await markLeaving(
      scope,
      id,
      // A consent that was erased is not there any more; one that moved to another guest still is.
      since === null
        ? sql`true`
        : sql`(${among(scope, 't.guest_id')} or t.consent_record_id is null or t.consent_record_id in ${changed(scope, 'id')})`,
    )
    return 0
  })
  const step = async (scope: Scope) => {
    const added = await scope.run(sql`
      insert into marketing_members (marketing_integration_id, guest_id, subscriber_key, consent_record_id, due_at)
      select ${id}, t.id, md5(lower(t.email)), consent.id,
        case when t.confirmed_at is null then r.granted_at + make_interval(secs => ${confirmed_within_s}) end
      from guests as t cross join lateral (${agreed('t')}) as consent
        join consent_records as r on r.customer_id = t.customer_id and r.id = consent.id
      where t.email is not null and ${among(scope, 't.id')} and ${scope.inReach('guests', 't')}
        and not exists (select from marketing_members as m where m.customer_id = t.customer_id
          and m.marketing_integration_id = ${id} and m.guest_id = t.id)
      order by t.id limit ${enrolled_per_step}
      on conflict do nothing returning id`)
    return added.length
  }
  while ((await enter(step)) === enrolled_per_step);
  await enter(async (scope) => {
    await takeBack(scope, id, among(scope, 't.guest_id'))
    await markRenamed(scope, id, among(scope, 't.guest_id'))
    return 0
  })
}

/** Those who withdrew, whose address is another one now, or who were erased. */
async function markLeaving(scope: Scope, id: number, which: RawBuilder<unknown>) {
  const gone = sql`t.marketing_integration_id = ${id} and ${which} and not ${stillAgreed('t')}`
  // Guests who withdrew before anything was tried were never there.
  await scope.run(sql`
    delete from marketing_members as t where t.state = 'waiting' and t.attempts = 0 and t.sent_at is null and ${gone}
      and ${scope.inReach('marketing_members', 't')}`)
  const leaving = { state: 'leaving', reason: null, refused_at: null, attempts: 0, due_at: null }
  await scope.change('marketing_members', sql`(t.state in ('waiting', 'sent', 'refused') and ${gone})`, leaving)
  // Erased guests who had unsubscribed are erased there, too.
  const unsubscribed = sql<boolean>`(t.marketing_integration_id = ${id} and t.state = 'unsubscribed' and ${erased})`
  await scope.change('marketing_members', unsubscribed, leaving)
}

/** Those who agreed again: after they had left, or before it was told that they had withdrawn. */
async function takeBack(scope: Scope, id: number, which: RawBuilder<unknown>) {
  const waiting = sql`state = 'waiting', reason = null, refused_at = null, attempts = 0, due_at = null, consent_record_id = consent.id`
  const from = sql`from guests as g, lateral (${agreed('g')}) as consent
    where t.marketing_integration_id = ${id} and ${which} and g.customer_id = t.customer_id and g.id = t.guest_id
      and ${scope.inReach('guests', 'g')} and ${scope.inReach('marketing_members', 't')}`
  await scope.run(sql`
    update marketing_members as t set ${waiting}, returns = true ${from} and t.state = 'unsubscribed'
      and t.consent_record_id is distinct from consent.id`)
  await scope.run(sql`
    update marketing_members as t set ${waiting} ${from} and t.state = 'leaving' and md5(lower(g.email)) = t.subscriber_key`)
}

async function markRenamed(scope: Scope, id: number, which: RawBuilder<unknown>) {
  const from = sql`from guests as g left join properties as p on p.customer_id = g.customer_id and p.id = g.property_id
    where t.marketing_integration_id = ${id} and t.state = 'sent' and ${which} and g.customer_id = t.customer_id and g.id = t.guest_id
      and ${scope.inReach('guests', 'g')} and ${scope.inReach('marketing_members', 't')}`
  await scope.run(sql`
    update marketing_members as t set due_at = now(), attempts = 0 ${from} and t.due_at is null and t.sent_as <> ${sentAs}`)
  // Those of the version before, which did not keep what it sent.
  await scope.run(sql`update marketing_members as t set sent_as = ${sentAs} ${from} and t.sent_as is null`)
}

// Receivers: whether the receiver of a report wants it. A user of the customer does; anybody else has confirmed once, or has an address
// in a domain in which one of its editors has confirmed theirs. Whoever stops reports stops all of that customer's.
import { DOMAINS as public_domains } from 'free-email-domains-list'
import { sql, type RawBuilder } from 'kysely'
import type { Condition } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'

type Sql = RawBuilder<unknown>

/** The domains whose addresses need no question: never one in which anybody can have an address. */
export async function ownDomains(scope: Scope): Promise<string[]> {
  const rows = await scope.run(sql<{ domain: string }>`select editors_domains() as domain`)
  return rows.map(({ domain }) => domain).filter((domain) => !public_domains.has(domain))
}

export const hasStopped = (scope: Scope, email: Sql): Condition => sql<boolean>`
  (exists (select from report_receivers as v where v.email = lower(${email}) and v.stopped_at is not null
      and ${scope.inReach('report_receivers', 'v')})
    or exists (select from report_stops as s where s.email = lower(${email}) and ${scope.inReach('report_stops', 's')}))`

/** A user of the customer, or an address in a domain of theirs. */
export const isOurs = (scope: Scope, email: Sql, domains: readonly string[]): Condition => sql<boolean>`
  (split_part(lower(${email}), '@', 2) = any(${domains})
    or exists (select from users as u where lower(u.email) = lower(${email}) and u.active and not u.draft and u.login_id is not null
      and ${scope.inReach('users', 'u')}))`

/** Needs no question, or has answered it. */
export const isKnown = (scope: Scope, email: Sql, domains: readonly string[]): Condition => sql<boolean>`
  (${isOurs(scope, email, domains)}
    or exists (select from report_receivers as v where v.email = lower(${email}) and v.confirmed_at is not null
      and ${scope.inReach('report_receivers', 'v')}))`

/** Until when somebody is sent to who was named before there was a question. */
export const goesUntil = (scope: Scope, email: Sql) => sql`
  (select v.goes_until from report_receivers as v where v.email = lower(${email}) and v.goes_until > now()
    and ${scope.inReach('report_receivers', 'v')})`

export const wants = (scope: Scope, email: Sql, domains: readonly string[]): Condition => sql<boolean>`
  (not ${hasStopped(scope, email)}
    and (${isKnown(scope, email, domains)} or ${goesUntil(scope, email)} is not null))`

/** Of a queued report: the receiver wants it still, and the report still names them. */
export async function isWanted(scope: Scope, email: string, report_id: number): Promise<boolean> {
  const address = sql`${email}::text`
  const found = await scope.run(sql`
    select from reports as t where t.id = ${report_id} and ${scope.inReach('reports', 't')}
      and lower(${address}) in (select lower(named) from unnest(t.recipients) as named)
      and ${wants(scope, address, await ownDomains(scope))}`)
  return found.length > 0
}

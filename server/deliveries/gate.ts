// Gate: whether something that was asked for earlier may leave now: whoever asked for it still may, what it is about and where it
// belongs are still there and within their reach, and the receiver wants it. Every channel asks here before each try.
import { sql } from 'kysely'
import type { z } from 'zod'
import { refsIn } from '#contract/refs.ts'
import { ReportInput } from '#contract/reports.ts'
import type { MessageKind } from '#contract/undelivered.ts'
import { askedOf, lostSentences, presentOf, type AskedFor } from '#server/access/present-rights.ts'
import { reachOf, withinReach, type Condition, type Reach, type TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** What a queued message says of itself, in the columns of its row. */
export interface Queued extends AskedFor {
  kind: MessageKind
  about_id?: number | null
  property_id?: number | null
}

interface Rule {
  /** The table of `about_id`. */
  about?: TenantTable
  /** What its row, called `t`, is besides being there. */
  while?: Condition
  /** What the row names has to be there, too. */
  names?: z.ZodType
}

const active = sql<boolean>`t.active`
/** The group or property of a user who is invited. */
const placeIsThere = sql<boolean>`
  not exists (select from groups as g where g.customer_id = t.customer_id and g.id = t.group_id and g.deleted_at is not null)
  and not exists (select from properties as p where p.customer_id = t.customer_id and p.id = t.property_id and p.deleted_at is not null)`

/** By the kind of a message: a new one does not compile without. */
const rules: Record<MessageKind, Rule> = {
  invitation: { about: 'users', while: sql`t.active and ${placeIsThere}` },
  guest_sign_in: { about: 'accounts', while: active },
  voucher_codes: { about: 'voucher_batches', while: active },
  how_to_sign_in: {},
  guest_code: {},
  report: { about: 'reports', while: active, names: ReportInput },
  schedule_notice: { about: 'reports' },
  receiver_question: {},
  password_reset: {},
  address_confirmation: {},
  sign_in_notice: {},
  other: {},
}

const gone = 'What it is about no longer exists, or is out of reach for the person who asked for it.'

/** Null: it may leave. A sentence: why it may not. Of a job's scope. */
export async function whyNot(scope: Scope, queued: Queued): Promise<string | null> {
  const asked = askedOf(queued)
  const present = asked && (await presentOf(scope, asked))
  if (typeof present === 'string') return lostSentences[present]
  const reach = present?.reach ?? reachOf(scope.owner)
  const { about, while: isLive = sql<boolean>`true`, names } = rules[queued.kind]
  const { about_id = null, property_id = null } = queued
  const places = [
    ...(about && about_id !== null ? [{ table: about, id: about_id, isLive }] : []),
    ...(property_id !== null ? [{ table: 'properties' as const, id: property_id, isLive: sql<boolean>`true` }] : []),
  ]
  for (const place of places) if (!(await isThere(scope, reach, place))) return gone
  return about && about_id !== null && names && (await namesLost(scope, about, about_id, names)) ? gone : null
}

async function namesLost(scope: Scope, table: TenantTable, id: number, schema: z.ZodType): Promise<boolean> {
  const [found] = await scope.run(sql<{ row: unknown }>`
    select to_jsonb(t) as row from ${sql.table(table)} as t where t.id = ${id} and ${scope.inReach(table, 't')}`)
  return (await scope.unreachable(refsIn(schema, found?.row))).length > 0
}

async function isThere(
  scope: Scope,
  reach: Reach,
  { table, id, isLive }: { table: TenantTable; id: number; isLive: Condition },
): Promise<boolean> {
  const found = await scope.run(sql`
    select from ${sql.table(table)} as t where t.id = ${id} and ${isLive} and ${scope.inReach(table, 't')}
      and ${withinReach(scope.customer_id, reach, table, 't')}`)
  return found.length > 0
}

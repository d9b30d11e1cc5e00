// Overtaken: refuses a change that is based on outdated values, because somebody else has changed them since they were read.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { changedMeanwhile } from '#contract/errors.ts'
import { decimalOf } from '#contract/money.ts'
import { clash } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Logged } from '#server/entities/entity.ts'

type Values = Record<string, unknown>

/** Money is read as a number, and written as a decimal text. */
const plain = (value: unknown) => (typeof value === 'number' ? decimalOf(value) : (value ?? null))
const same = (a: unknown, b: unknown) => JSON.stringify(plain(a)) === JSON.stringify(plain(b))

/**
 * `was` has the values that the caller read in the fields it changes. A field that has another value by now, and not the one
 * that the caller would write either, is refused with the name of the person who changed the record last.
 */
export async function refuseOvertaken(
  scope: Scope,
  { table }: Pick<Logged, 'table'>,
  { before, was = {}, input }: { before: Values & { id: number }; was?: Values | undefined; input: Values },
) {
  const overtaken = Object.keys(was).filter(
    (name) => Object.hasOwn(before, name) && !same(before[name], was[name]) && !same(before[name], input[name]),
  )
  if (overtaken.length === 0) return
  const sentence = changedMeanwhile(await whoChanged(scope, { table }, before.id))
  throw clash(sentence, Object.fromEntries(overtaken.map((name) => [name, [sentence]])))
}

/** Who has changed the record last. Whoever takes it away as a file changes nothing. */
export async function whoChanged(
  scope: Scope,
  { table }: Pick<Logged, 'table'>,
  id: number,
): Promise<string | undefined> {
  const [last] = await scope.run(sql<ColumnsOf<'activity', 'actor_name'>>`
    select t.actor_name from activity as t
    where t.object_type = ${table} and t.object_id = ${id} and t.action <> 'export' and ${scope.inReach('activity', 't')}
    order by t.created_at desc, t.id desc limit 1`)
  return last?.actor_name ?? undefined
}

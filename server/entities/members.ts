// Members: lists of ids that are stored in a join table, such as the properties of a collection.
//
// Those out of the caller's reach are neither shown nor touched.
import { sql } from 'kysely'
import { selectedInvalid } from '#contract/errors.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { memberInReach, type Entity, type MemberField, type Members, type Stored } from '#server/entities/entity.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'

/** Replaces the members with exactly these. */
export async function setMembers(scope: Scope, members: Members, id: number, ids: readonly number[]) {
  await scope.run(sql`
    delete from ${sql.table(members.table)} as m
    where m.${sql.ref(members.mine)} = ${id} and not m.${sql.ref(members.theirs)} = any(${ids})
      and ${scope.inReach(members.table, 'm')} and ${memberInReach(scope, members)}`)
  await insertMembers(scope, members, id, ids)
}

/** In one statement, however many there are; those that are members already stay. */
const insertMembers = (scope: Scope, { table, mine, theirs }: Members, id: number, ids: readonly number[]) =>
  scope.run(sql`
    insert into ${sql.table(table)} (customer_id, ${sql.ref(mine)}, ${sql.ref(theirs)})
    select distinct ${scope.customer_id}::integer, ${id}::integer, theirs from unnest(${ids}::integer[]) as theirs
    on conflict do nothing`)

const deleteMembers = (scope: Scope, members: Members, id: number, ids: readonly number[]) =>
  scope.run(sql`
    delete from ${sql.table(members.table)} as m
    where m.${sql.ref(members.mine)} = ${id} and m.${sql.ref(members.theirs)} = any(${ids})
      and ${scope.inReach(members.table, 'm')} and ${memberInReach(scope, members)}`)

/** Makes these members of a record: all of them, or none if one is out of reach. Returns the record. */
export const linkMembers = <E extends Entity>(
  scope: Scope,
  entity: E,
  link: { id: number; field: MemberField<E>; ids: readonly number[] },
) => changeMembers(scope, entity, link, insertMembers)

/** Removes these from a record's members, and leaves the rest. */
export const unlinkMembers = <E extends Entity>(
  scope: Scope,
  entity: E,
  link: { id: number; field: MemberField<E>; ids: readonly number[] },
) => changeMembers(scope, entity, link, deleteMembers)

async function changeMembers<E extends Entity>(
  scope: Scope,
  entity: E,
  { id, field, ids }: { id: number; field: MemberField<E>; ids: readonly number[] },
  change: typeof insertMembers,
): Promise<Stored<E>> {
  const members = entity.members?.[field]
  if (!members) throw new Error(`${entity.table} has no members ${field}`)
  const before = await lockedRow(scope, entity, id)
  const wanted = [...new Set(ids)]
  const reached = await scope.run(
    sql`select r.id from ${sql.table(members.of)} as r where r.id = any(${wanted}) and ${scope.inReach(members.of, 'r')}`,
  )
  if (reached.length !== wanted.length) throw invalid({ [field]: [selectedInvalid(field)] })
  await change(scope, members, id, wanted)
  const row = await oneRow(scope, entity, id)
  await logActivity(scope, { action: 'update', entity, row, before, after: row })
  return row
}

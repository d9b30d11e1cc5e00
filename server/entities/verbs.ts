// Verbs: the few operations on records, the same for every resource: create, update, change, remove.
//
// The verbs name no fields. The columns that are read follow from the contract's answer, those that are written from its
// input, both passed whole. Reading one record (read.ts) and many (lists.ts) has files of its own.
import { sql } from 'kysely'
import { selectedIdsInvalid } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import type { TableWith } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivity, logActivityOfMany } from '#server/entities/activity-log.ts'
import type { Entity, Only, Stored, Writable } from '#server/entities/entity.ts'
import { setMembers } from '#server/entities/members.ts'
import { refuseOvertaken } from '#server/entities/overtaken.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { writeSealed, type Given } from '#server/entities/sealed.ts'

type Values = Record<string, unknown>
const asValues = (values: object): Values => ({ ...values })

/** Separates the columns of the table from fields that are stored elsewhere, which `writeRest` writes. */
function splitValues(entity: Entity, values: object) {
  const given = Object.entries(asValues(values)).filter(([, value]) => value !== undefined)
  const isSealed = ([name]: [string, unknown]) => name in (entity.sealed?.fields ?? {})
  const isElsewhere = ([name]: [string, unknown]) => name in (entity.members ?? {}) || name in (entity.written ?? {})
  const elsewhere = given.filter(isElsewhere) as [string, number[]][]
  const secrets = given.filter(isSealed)
  return {
    columns: Object.fromEntries(given.filter((entry) => !isElsewhere(entry) && !isSealed(entry))),
    /** The log says that they were changed, and never their values. */
    changed: Object.fromEntries(secrets.map(([name]) => [`${name}_changed`, true])),
    async writeRest(scope: Scope, id: number) {
      for (const [name, ids] of elsewhere) {
        await entity.written?.[name]?.(scope, id, ids)
        const members = entity.members?.[name]
        if (members) await setMembers(scope, members, id, ids)
      }
      if (entity.sealed) await writeSealed(scope, entity.sealed, id, Object.fromEntries(secrets) as Given)
    },
  }
}

/** A record that is not a draft must have all required fields. */
function refuseIncomplete(entity: Entity, row: Values) {
  const missing = (entity.requiredUnlessDraft ?? []).filter((field) => row[field] === null || row[field] === '')
  if (!row['draft'] && missing.length > 0)
    throw invalid(Object.fromEntries(missing.map((field) => [field, [messages.fields.required]])))
}

export async function createRow<E extends Entity, const I extends object>(
  scope: Scope,
  entity: E,
  input: I & Only<I, Writable<E>, 'is no column of the table'>,
): Promise<Stored<E>> {
  const { columns, writeRest } = splitValues(entity, input)
  const id = await scope.insert(entity.table, columns)
  await writeRest(scope, id)
  const row = await oneRow(scope, entity, id)
  refuseIncomplete(entity, row)
  await logActivity(scope, { action: 'create', entity, row, before: null, after: row })
  return row
}

/** Changes the fields in the input and leaves the rest. */
export async function updateRow<E extends Entity, const I extends { id: number; was?: Values | undefined }>(
  scope: Scope,
  entity: E,
  input: I & Only<I, Writable<E> | 'was', 'is no column of the table'>,
  action: 'update' | 'permission' = 'update',
): Promise<Stored<E>> {
  const { id, was, ...values }: { id: number; was?: Values | undefined } = input
  const { columns, changed, writeRest } = splitValues(entity, values)
  const before = await lockedRow(scope, entity, id)
  await refuseOvertaken(scope, entity, { before, was, input: values })
  if (Object.keys(columns).length > 0) await scope.change(entity.table, [id], columns)
  await writeRest(scope, id)
  const row = await oneRow(scope, entity, id)
  refuseIncomplete(entity, row)
  await logActivity(scope, { action, entity, row, before, after: row })
  if (Object.keys(changed).length > 0) await logActivity(scope, { action, entity, row, before: null, after: changed })
  return row
}

/** An active record that is complete is no draft any more. */
async function setActive<E extends Entity<TableWith<'active'>>>(
  scope: Scope,
  entity: E,
  id: number,
  active: boolean,
): Promise<Stored<E>> {
  const before = await lockedRow(scope, entity, id)
  const ends_draft = active && 'draft' in entity.detail.shape
  await scope.change(entity.table, [id], { active, ...(ends_draft ? { draft: false } : {}) })
  const row = await oneRow(scope, entity, id)
  if (active) refuseIncomplete(entity, row)
  await logActivity(scope, { action: active ? 'activate' : 'deactivate', entity, row, before, after: row })
  return row
}

export const activateRow = <E extends Entity<TableWith<'active'>>>(scope: Scope, entity: E, id: number) =>
  setActive(scope, entity, id, true)

export const deactivateRow = <E extends Entity<TableWith<'active'>>>(scope: Scope, entity: E, id: number) =>
  setActive(scope, entity, id, false)

/** An active record becomes disabled; a disabled one or a draft becomes active. */
export async function toggleRow<E extends Entity<TableWith<'active'>>>(
  scope: Scope,
  entity: E,
  id: number,
): Promise<Stored<E>> {
  const { status } = asValues(await lockedRow(scope, entity, id))
  return setActive(scope, entity, id, status !== 'active')
}

export const unreachableIds = () => invalid({ ids: [selectedIdsInvalid] })

/** Changes many records in the same way: all of them, or none if one is out of reach. */
export async function changeRows<E extends Entity, const V extends object>(
  scope: Scope,
  entity: E,
  ids: number[],
  values: V & Only<V, Writable<E>, 'is no column of the table'>,
  action: 'update' | 'deactivate',
) {
  const wanted = [...new Set(ids)]
  const after = asValues(values)
  const changed = await scope.change(entity.table, wanted, after)
  if (changed.length !== wanted.length) throw unreachableIds()
  await logActivityOfMany(scope, { action, entity, ids: wanted, after })
  return { ids: wanted }
}

export const deactivateRows = (scope: Scope, entity: Entity<TableWith<'active'>>, ids: number[]) =>
  changeRows(scope, entity, ids, { active: false }, 'deactivate')

/** Removes records: no call returns them any more, and they are kept for reports that name them. */
export async function removeRows(scope: Scope, entity: Entity<TableWith<'deleted_at'>>, ids: number[]) {
  const wanted = [...new Set(ids)]
  await refuseNeeded(scope, entity, wanted)
  await logActivityOfMany(scope, { action: 'delete', entity, ids: wanted, after: null })
  const removed = await scope.change(entity.table, wanted, { deleted_at: sql`now()` })
  if (removed.length !== wanted.length) throw unreachableIds()
  return { ids: wanted }
}

/** One record, given in the path: out of reach is the same as not found. */
export async function removeRow(scope: Scope, entity: Entity<TableWith<'deleted_at'>>, id: number) {
  await lockedRow(scope, entity, id)
  return removeRows(scope, entity, [id])
}

/** By `id`, by `ids`, or by both. */
export async function removeIdOrIds(
  scope: Scope,
  entity: Entity<TableWith<'deleted_at'>>,
  { id, ids }: { id?: number | null | undefined; ids?: number[] | null | undefined },
) {
  if (id == null) return removeRows(scope, entity, ids ?? [])
  await lockedRow(scope, entity, id)
  return removeRows(scope, entity, [id, ...(ids ?? [])])
}

async function refuseNeeded(scope: Scope, entity: Entity, ids: number[]) {
  for (const { table, column, noun, label = 'name' } of entity.restrict ?? []) {
    const users = await scope.run(sql<{ name: string }>`
      select ${sql.ref(`t.${label}`)} as name from ${sql.table(table)} as t
      where ${sql.ref(`t.${column}`)} = any(${ids}) and ${scope.inReach(table, 't')} order by t.id limit 3`)
    if (users.length > 0)
      throw clash(
        `Still needed by the ${noun} ${users.map((user) => user.name).join(', ')}. Change or remove them first.`,
      )
  }
}

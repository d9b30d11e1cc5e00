// Activity log: writes a line for every change, in the change's own transaction.
import { sql } from 'kysely'
import type { actions } from '#contract/activity.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Logged, Sql } from '#server/entities/entity.ts'

type Action = (typeof actions)[number]
type Values = Record<string, unknown>

const never = new Set(['password', 'token', 'secret'])
const withoutSecrets = (values: Values | null): Values | null =>
  values && Object.fromEntries(Object.entries(values).filter(([name]) => !never.has(name)))

/** Only changed values, and never a secret. */
function changes(before: Values, after: Values, reckoned: readonly string[] = []): { before: Values; after: Values } {
  const names = Object.keys(after).filter(
    (name) =>
      !never.has(name) && !reckoned.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** What a line says of a guest by name. `erase_guests` takes these out of the lines about whom it erases. */
export const guestKeys = [
  'mailed_to',
  'sign_in_mailed_to',
  'slip_sent_to',
  'let_try_again',
  'device_forgotten',
  'searchValue',
] as const
export const namingGuest = (values: Partial<Record<(typeof guestKeys)[number], string>>): Values => values

interface Line {
  action: Action
  entity: Logged
  row: Values & { id: number }
  before: Values | null
  after: Values | null
}

/** Of guarded fields it says that they were changed. */
function withoutGuarded(before: Values | null, after: Values | null, guarded: readonly string[]) {
  const open = (values: Values | null): Values | null =>
    values && Object.fromEntries(Object.entries(values).filter(([name]) => !guarded.includes(name)))
  const changed = before && after ? guarded.filter((name) => name in after) : []
  const marks = Object.fromEntries(changed.map((name) => [`${name}_changed`, true]))
  return { before: open(before), after: after && { ...open(after), ...marks } }
}

/** One line. An update that changed nothing leaves none. */
export async function logActivity(scope: Scope, { action, entity, row, before, after }: Line) {
  const changed =
    before && after
      ? changes(before, after, entity.reckoned)
      : { before: withoutSecrets(before), after: withoutSecrets(after) }
  if (before && after && Object.keys(changed.after ?? {}).length === 0) return
  const said = withoutGuarded(changed.before, changed.after, entity.guarded ?? [])
  await write(scope, action, entity, [row.id], said.before, said.after)
}

/** One line for each of many records that changed in the same way. */
export const logActivityOfMany = (
  scope: Scope,
  line: { action: Action; entity: Logged; ids: number[]; before?: Values | null; after: Values | null },
) => write(scope, line.action, line.entity, line.ids, line.before ?? null, line.after)

/** One line for each of many records that were made at once. */
export const logCreated = (scope: Scope, entity: Logged, rows: readonly { id: number }[]) =>
  writeEach(
    scope,
    'create',
    entity,
    rows.map((row) => ({ id: row.id, before: null, after: withoutSecrets({ ...row }) })),
  )

/**
 * One line for each of many records that changed at once, each in its own way. One that has not changed leaves none.
 * @param rows as they are now
 */
export function logUpdated<R extends { id: number }>(
  scope: Scope,
  entity: Logged,
  before: readonly R[],
  rows: readonly R[],
) {
  const former = new Map(before.map((row) => [row.id, row]))
  const lines = rows.map((row) => ({ id: row.id, ...changes({ ...former.get(row.id) }, { ...row }, entity.reckoned) }))
  return writeEach(
    scope,
    'update',
    entity,
    lines.filter(({ after }) => Object.keys(after).length > 0),
  )
}

/** Lines of which each says something else. */
const writeEach = (
  scope: Scope,
  action: Action,
  entity: Logged,
  lines: readonly { id: number; before: Values | null; after: Values | null }[],
) =>
  write(
    scope,
    action,
    entity,
    lines.map(({ id }) => id),
    null,
    null,
    lines,
  )

/** One line for a whole list, without a record: it was exported as a file. */
export const logActivityOfList = (
  scope: Scope,
  { action, table, after }: { action: Action; table: Logged['table']; after: Values },
) => writeAlone(scope, { action, object_type: table, after: JSON.stringify(after) })

/** One line about a setting of the customer as a whole. */
export const logChangeOfCustomer = (scope: Scope, before: Values, after: Values) =>
  writeAlone(scope, {
    action: 'update',
    object_type: 'customers',
    object_id: scope.customer_id,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  })

export type SecurityAction = Extract<Action, 'denied' | 'reset_asked' | 'reset' | 'key_use'>
/** One line about an event that changed no record. `name`: what was requested, or whom it is about. */
export const logSecurity = (scope: Scope, action: SecurityAction, name: string | null) =>
  writeAlone(scope, { action, object_name: name })

async function writeAlone(scope: Scope, line: { action: Action } & Values) {
  const { kind, id, name, email } = scope.principal
  const { owner_type, owner_id } = scope.owner
  await scope.insert('activity', {
    ...line,
    principal_kind: kind,
    user_id: userIdOf(scope),
    principal_id: kind === 'user' ? null : id,
    actor_name: name,
    actor_email: email,
    ip: scope.ip,
    session: scope.session ?? null,
    group_id: owner_type === 'Group' ? owner_id : null,
    property_id: owner_type === 'Property' ? owner_id : null,
  })
}

async function write(
  scope: Scope,
  action: Action,
  entity: Logged,
  ids: number[],
  before: Values | null,
  after: Values | null,
  lines: readonly object[] | null = null,
) {
  const { group_id, property_id } = entity.belongs ?? {}
  const column = (name: string | Sql | undefined) =>
    name === undefined ? sql`null::integer` : typeof name === 'string' ? sql.ref(`t.${name}`) : name
  const { kind, id, name, email } = scope.principal
  const json = (values: Values | null) => (values === null ? null : JSON.stringify(values))
  const [was, is] = lines ? [sql`m.before`, sql`m.after`] : [sql`${json(before)}::jsonb`, sql`${json(after)}::jsonb`]
  await scope.run(sql`
    insert into activity (customer_id, principal_kind, user_id, principal_id, actor_name, actor_email, action,
      object_type, object_id, object_name, before, after, ip, session, group_id, property_id)
    select t.customer_id, ${kind}, ${userIdOf(scope)}::integer, ${kind === 'user' ? null : id}::integer, ${name}, ${email},
      ${action}, ${entity.table}, t.id, ${column(entity.label ?? 'name')}, ${was}, ${is}, ${scope.ip}::inet,
      ${scope.session ?? null}::uuid,
      ${column(group_id)}, ${column(property_id)}
    from ${sql.table(entity.table)} as t
    ${lines ? sql`join json_to_recordset(${JSON.stringify(lines)}) as m(id integer, before jsonb, after jsonb) on m.id = t.id` : sql``}
    where t.id = any(${ids}) and ${scope.inReach(entity.table, 't')}`)
}

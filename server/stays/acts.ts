// Stay acts: what was last done to a stay, told to whoever comes too late with the same; and taken back for whoever has just done it,
// while nothing newer has been done to the stay.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { stayActIn, undoneIn, undo_s, type StayAct } from '#contract/stay-acts.ts'
import { helpIn } from '#catalogue/spoken.ts'
import { clash, type Refused } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import type { Entity, Sql } from '#server/entities/entity.ts'
import { oneRow } from '#server/entities/read.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { sayDay } from './stay-record.ts'

/** Who comes later than this was not at the desk at the same time. */
const told_hours = 24
/** Named in one refusal. */
const told_max = 3
const undo_grace_s = 30

interface Line {
  id: number
  object_id: number
  name: string | null
  actor_name: string | null
  /** By whoever asks. */
  own: boolean
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** Seconds ago. */
  age_s: number
  /** On the property's clock. */
  at: string
  today: boolean
}

/** What a line of the log says of a stay that another at the desk has to know: not another spelling of a name. */
const toldFields = ['room_id', 'arrives_on', 'departs_on', 'checked_in_at', 'checked_in', 'undone']
const isOfTheStay = sql`(t.action in ('create', 'delete') or t.after ?| ${toldFields})`

/** The newest line of the log about each of these stays, also of those that have ended. */
function lastLines(scope: Scope, ids: readonly number[], which: Sql = sql`true`): Promise<Line[]> {
  const { kind, id } = scope.principal
  return scope.run(sql<Line>`
    select distinct on (t.object_id) t.id, t.object_id::integer as object_id, t.object_name as name, t.actor_name, t.action, t.before,
      t.after, t.principal_kind = ${kind} and coalesce(t.principal_id, t.user_id) = ${id}::integer as own,
      extract(epoch from now() - t.created_at)::float as age_s,
      to_char(t.created_at at time zone p.time_zone, 'HH24:MI') as at,
      local_day(t.created_at, p.time_zone) = local_day(app_now(), p.time_zone) as today
    from activity as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.object_type = 'room_guests' and t.object_id = any(${[...ids]}::bigint[])
      and t.created_at > now() - make_interval(hours => ${told_hours}) and ${which} and ${scope.inReach('activity', 't')}
    order by t.object_id, t.id desc`)
}

const nameIn = (value: unknown) =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : null

/** “moved Hart to room 205” */
export function saidOf(
  { language }: Pick<Scope, 'language'>,
  line: Pick<Line, 'action' | 'name' | 'before' | 'after'>,
): string {
  const say = helpIn(language)
  const { action, after } = line
  const [act, undone] = [stayActIn(line), undoneIn(line)]
  const name = line.name ?? say('did.this-guest')
  const room = nameIn(after?.['room'])
  if (undone === 'move') return room === null ? say('did.undo-move', { name }) : say('did.undo-move-to', { name, room })
  if (undone !== null) return say(`did.undo-${undone}`, { name })
  if (act === null) return say(action === 'create' ? 'did.enter' : 'did.change', { name })
  if ((act === 'move' || act === 'check_in') && room !== null) return say(`did.${act}-to`, { name, room })
  if (act !== 'extend') return say(`did.${act}`, { name })
  const departs_on = after?.['departs_on']
  const day = typeof departs_on === 'string' ? sayDay(departs_on, language) : say('did.open-end')
  return say('did.extend', { name, day })
}

/** “Dora Desk moved Hart to room 205 at 14:03.” */
function sentenceOf(scope: Pick<Scope, 'language'>, line: Line): string {
  const say = helpIn(scope.language)
  const who = line.actor_name ?? say('did.somebody-else')
  return say(line.today ? 'did.at' : 'did.yesterday', { who, did: saidOf(scope, line), time: line.at })
}

const refusalOf = (scope: Scope, lines: Line[], fields: readonly string[]): Refused | null => {
  if (lines.length === 0) return null
  const sentence = lines
    .slice(0, told_max)
    .map((line) => sentenceOf(scope, line))
    .join(' ')
  return clash(sentence, fields.length > 0 ? Object.fromEntries(fields.map((field) => [field, [sentence]])) : undefined)
}

/** What was done meanwhile to these stays, as a refusal; null if nobody has done anything lately. */
export const toldOf = async (scope: Scope, ids: readonly number[], fields: readonly string[] = []) =>
  refusalOf(scope, await lastLines(scope, ids, isOfTheStay), fields)

/** Who checked these guests out, as a refusal; null if they went with a list or a property's system, or longer ago. */
export const toldOfEnd = async (scope: Scope, ids: readonly number[]) =>
  refusalOf(scope, await lastLines(scope, ids, sql`t.action = 'delete'`), [])

/** Guests of a room in the order in which they came, then accounts (0) that are let to live in it. */
const livingIn = (scope: Scope, room_id: number) =>
  scope.run(sql<ColumnsOf<'accounts', 'id' | 'name'>>`
    select l.id, l.name from (
      select t.id, t.name from room_guests as t where t.room_id = ${room_id} and ${scope.inReach('room_guests', 't')}
      union all
      select 0, t.name from accounts as t where t.room_id = ${room_id} and ${scope.inReach('accounts', 't')}) as l
    order by l.id = 0, l.id`)

/** As a sentence names those who live in a room. */
const namedIn = (there: readonly { name: string }[]) => ({
  names: there
    .slice(0, told_max)
    .map(({ name }) => name)
    .join(', '),
  count: there.length,
})

/** Whoever would share the room; null if nobody lives there. */
export async function occupantNames(scope: Scope, room_id: number) {
  const there = await livingIn(scope, room_id)
  return there.length === 0 ? null : namedIn(there)
}

/**
 * Refuses a room in which somebody lives by now. Its row is locked until the end of the transaction, so that of two at once the
 * second finds it taken.
 */
export async function refuseOccupied(scope: Scope, room_id: number, by: (id: number) => boolean = () => true) {
  await scope.lock('rooms', sql`t.id = ${room_id}`)
  const there = await livingIn(scope, room_id)
  const others = there.filter(({ id }) => by(id))
  if (others.length === 0) return
  const sentence = helpIn(scope.language)('refuse.lives-here', namedIn(others))
  const told = await toldOf(
    scope,
    others.map(({ id }) => id),
  )
  // Of no field: the same room may be asked for again, to be shared.
  throw clash(told === null ? sentence : `${sentence} ${told.message}`)
}

const tooLate = ({ language }: Scope) => clash(helpIn(language)('refuse.too-late'))
/** What an act changes, and what is set back. */
const undoneFields = ['room_id', 'arrives_on', 'departs_on'] as const

const endsStay = (act: StayAct) => act === 'check_out' || act === 'no_show'

/** Takes back what the caller has just done to these stays: all, or nothing. Returns those that are in another room than before. */
export async function takeBack(
  scope: Scope,
  entity: Entity & { table: 'room_guests' },
  ids: number[],
  act: StayAct,
): Promise<number[]> {
  const locked = await scope.run(sql<{ id: number; ended: boolean }>`
    select t.id, t.deleted_at is not null as ended from room_guests as t
    where t.id = any(${ids}) and t.property_id in (select p.id from properties as p where ${scope.inReach('properties', 'p')})
    order by t.id for no key update of t`)
  if (locked.length !== ids.length) throw unreachableIds()
  const lines = new Map((await lastLines(scope, ids)).map((line) => [line.object_id, line]))
  const back: Back[] = []
  for (const { id, ended } of locked) {
    const line = lines.get(id)
    if (!line || line.age_s > undo_s + undo_grace_s) throw tooLate(scope)
    if (!line.own || stayActIn(line) !== act || ended !== endsStay(act)) throw clash(sentenceOf(scope, line))
    const room_id = await takeBackOne(scope, entity, { id, act, line })
    if (room_id !== null) back.push({ id, room_id, left: line.id })
  }
  // When all are back: two who have changed rooms are in each other's until then.
  for (const one of back) await refuseGivenAway(scope, one)
  return act === 'move' ? back.map(({ id }) => id) : []
}

/** A guest who is back in a room, and the line of the log with which they had left it. */
interface Back {
  id: number
  room_id: number
  left: number
}

/**
 * Nobody comes back into a room that was given to others meanwhile: one of the two came while the other was out. What was taken back
 * counts as not done, so those who lived there together come back in any order.
 */
async function refuseGivenAway(scope: Scope, { id, room_id, left }: Back) {
  const there = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    select t.id from room_guests as t where t.room_id = ${room_id} and t.id <> ${id} and ${scope.inReach('room_guests', 't')}`)
  const ids = there.map((one) => one.id)
  const stands = sql`not coalesce(t.after ? 'undone', false)`
  const enters = sql`(t.after ->> 'room_id')::integer = ${room_id}`
  const leaves = sql`(t.action = 'delete' or (t.before ->> 'room_id')::integer = ${room_id})`
  const [came] = await lastLines(scope, [id], sql`${stands} and ${enters}`)
  const others = await lastLines(scope, ids, sql`${stands} and (${enters} or ${leaves})`)
  const isAfter = (line: Line) =>
    line.after?.['room_id'] === room_id ? line.id > left : came !== undefined && came.id > line.id
  const strangers = new Set(others.filter(isAfter).map(({ object_id }) => object_id))
  await refuseOccupied(scope, room_id, (one) => strangers.has(one))
}

/** No-shows are expected again; a trigger brings their stay back with them. */
export async function comeAfterAll(scope: Scope, ids: readonly number[]) {
  await scope.run(sql`
    update room_guests as t set deleted_at = null where t.id = any(${[...ids]})
      and t.room_id in (select r.id from rooms as r where ${scope.inReach('rooms', 'r')})`)
  await scope.change(
    'stays',
    sql`t.no_show and t.id in (select g.stay_id from room_guests as g where g.id = any(${[...ids]})
      and ${scope.inReach('room_guests', 'g')})`,
    { no_show: false },
  )
}

/** Returns the room that the guest is back in, of an act by which they had left it. */
async function takeBackOne(scope: Scope, entity: Entity, { id, act, line }: { id: number; act: StayAct; line: Line }) {
  const log = (action: 'update' | 'delete', before: object | null, after: object) =>
    logActivity(scope, {
      action,
      entity,
      row: { id },
      before: before && { ...before },
      after: { ...after, undone: act },
    })
  if (act === 'check_in' && line.action === 'create') {
    await log('delete', null, {})
    await scope.change('room_guests', [id], { deleted_at: sql`now()` })
    return null
  }
  if (act === 'no_show') {
    await comeAfterAll(scope, [id])
    await log('update', null, {})
    return null
  }
  if (act === 'check_out') {
    const [stay] = await scope.run(sql<ColumnsOf<'room_guests', 'room_id'>>`
      update room_guests as t set deleted_at = null where t.id = ${id}
        and t.room_id in (select r.id from rooms as r where ${scope.inReach('rooms', 'r')}) returning t.room_id`)
    if (!stay) throw tooLate(scope)
    await log('update', null, {})
    return stay.room_id
  }
  const { before, after } = line
  const row: Record<string, unknown> = await oneRow(scope, entity, id)
  if (before === null || after === null) throw tooLate(scope)
  const changed = undoneFields.filter((field) => field in before)
  // Written by something that leaves no line, such as a list of who lives where.
  if (changed.some((field) => row[field] !== after[field])) throw tooLate(scope)
  const back = Object.fromEntries(changed.map((field) => [field, before[field]]))
  await scope.change('room_guests', [id], { ...back, ...(act === 'check_in' && { checked_in_at: null }) })
  const now: Record<string, unknown> = await oneRow(scope, entity, id)
  await log('update', row, now)
  return act === 'move' ? Number(before['room_id']) : null
}

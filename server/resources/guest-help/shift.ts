// Shift: what was done at a property's desk lately, from the activity log, and the notes that one shift leaves for the next.
import { sql } from 'kysely'
import * as contract from '#contract/shift.ts'
import { helpIn } from '#catalogue/spoken.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { saidOf } from '#server/stays/acts.ts'

type Note = contract.ShiftNote

/** What the desk works with, as the log names it. */
const worked = [
  'room_guests',
  'stays',
  'accounts',
  'devices',
  'voucher_batches',
  'vouchers',
  'shift_notes',
  'properties',
]
const whats = ['stays', 'accounts', 'devices', 'voucher_batches', 'vouchers'] as const
const verbs: Record<string, 'made' | 'changed' | 'removed' | 'enabled' | 'disabled' | 'exported'> = {
  create: 'made',
  update: 'changed',
  delete: 'removed',
  activate: 'enabled',
  deactivate: 'disabled',
  export: 'exported',
}

interface Line {
  id: number
  at: string
  by: string | null
  action: string
  object_type: string
  name: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

function sentenceOf(scope: Scope, line: Line): string {
  const say = helpIn(scope.language)
  const { action, object_type, name } = line
  if (object_type === 'room_guests') return saidOf(scope, line)
  if (object_type === 'properties') return say('did.sent')
  if (object_type === 'shift_notes') return say(action === 'create' ? 'did.wrote-note' : 'did.settled-note')
  const kind = whats.find((one) => one === object_type)
  const what = kind === undefined ? (name ?? '') : say(`what.${kind}`, { name: name ?? '' }).trim()
  return say(`did.${verbs[action] ?? 'changed'}`, { what })
}

/** Of people and their programs: what jobs and property systems do fills the log by itself. */
async function actsSince(scope: Scope, property_id: number, since: string) {
  const lines = await scope.run(sql<Line>`
    select t.id, t.created_at as at, t.actor_name as by, t.action, t.object_type, t.object_name as name,
      t.before, t.after
    from activity as t
    where t.property_id = ${property_id} and t.created_at > ${since} and t.object_type = any(${worked})
      and t.principal_kind in ('user', 'api_key') and (t.object_type <> 'properties' or t.action = 'export')
      and ${scope.inReach('activity', 't')}
    order by t.created_at desc, t.id desc limit ${contract.acts_max + 1}`)
  const somebody = helpIn(scope.language)('did.somebody')
  return {
    acts: lines
      .slice(0, contract.acts_max)
      .map((line) => ({ id: line.id, at: line.at, by: line.by ?? somebody, sentence: sentenceOf(scope, line) })),
    more: lines.length > contract.acts_max,
  }
}

const note = sql`t.id, t.text, t.written_by, t.created_at, t.done_at, t.done_by`

const notesSince = (scope: Scope, property_id: number, since: string) =>
  scope.run(sql<Note>`
    select ${note} from shift_notes as t
    where t.property_id = ${property_id} and (t.done_at is null or t.done_at > ${since}) and ${scope.inReach('shift_notes', 't')}
    order by t.done_at is not null, t.created_at desc, t.id desc limit ${contract.notes_max}`)

async function noteOf(scope: Scope, id: number): Promise<Note> {
  const [found] = await scope.run(sql<Note>`
    select ${note} from shift_notes as t where t.id = ${id} and ${scope.inReach('shift_notes', 't')}`)
  if (!found) throw notFound()
  return found
}

/** Their text is not repeated in the log, in which it would outlive the note. */
const logged = { table: 'shift_notes', label: sql`'note ' || t.id`, belongs: { property_id: 'property_id' } } as const

async function beginningOf(scope: Scope, property_id: number, since: string | null): Promise<string> {
  const [found] = await scope.run(sql<{ since: string }>`
    select greatest(coalesce(${since}::timestamptz, now() - make_interval(hours => ${contract.shift_hours})),
      now() - interval '30 days') as since
    from properties as t where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  if (!found) throw notFound()
  return found.since
}

export default serve(contract, {
  ofShift: async ({ scope, input: { params, since = null } }) => {
    const { property_id } = params
    const begins = await beginningOf(scope, property_id, since)
    const notes = await notesSince(scope, property_id, begins)
    return { since: begins, notes, ...(await actsSince(scope, property_id, begins)) }
  },
  writeNote: async ({ scope, input }) => {
    const id = await scope.insert('shift_notes', { ...input, written_by: scope.principal.name ?? 'Somebody' })
    await logActivity(scope, { action: 'create', entity: logged, row: { id }, before: null, after: {} })
    return noteOf(scope, id)
  },
  settleNote: async ({ scope, input: { id, done } }) => {
    await scope.change('shift_notes', [id], {
      done_at: done ? sql`now()` : null,
      done_by: done ? (scope.principal.name ?? 'Somebody') : null,
    })
    const settled = await noteOf(scope, id)
    await logActivity(scope, { action: 'update', entity: logged, row: { id }, before: null, after: { done } })
    return settled
  },
})

// Sync write: writes what was decided of many stays by a few statements: restored, changed, checked-in, checked-out and new guests, and
// the synced stays themselves.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { dropDue, dueKind, queueDue } from '#server/due/due-work.ts'
import { logActivityOfMany, logCreated, logUpdated } from '#server/entities/activity-log.ts'
import { rowsOf } from '#server/entities/read.ts'
import { removeRows } from '#server/entities/verbs.ts'
import { roomGuests } from './guests.ts'
import { reportedNames, PendingWrites, type NewStay, type SyncedStay, type StaySync } from './sync-state.ts'
import { nameless } from './stay-updates.ts'

export const departureKind = dueKind('departure')

/** The order allows that a guest is restored, moves and leaves at once, and that a room is left before others arrive. */
export async function flush(sync: StaySync) {
  const { scope, pending } = sync
  sync.pending = new PendingWrites()
  await writeRestored(sync, [...pending.restored])
  await writeGuestChanges(scope, pending)
  await writeCheckedIn(scope, [...pending.checkedIn])
  await writeStayChanges(scope, pending)
  if (pending.checkedOut.size > 0) await removeRows(scope, roomGuests, [...pending.checkedOut])
  await writeNewStays(sync, [...pending.newStays.values()])
  for (const row of pending.newStays.keys()) {
    pending.rows.add(row)
    pending.differences.set(row, [])
  }
  await writeSyncedStays(sync, [...pending.rows])
  await writeDifferences(sync, pending)
  await writeDepartures(sync, pending)
  sync.forget((stored) => pending.hasGuest(stored))
}

async function writeRestored({ scope, source }: StaySync, ids: number[]) {
  if (ids.length === 0) return
  const back = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    update room_guests as t set deleted_at = null where t.id = any(${ids}) and t.deleted_at is not null
      and t.property_id = ${source.property_id} and t.customer_id = ${scope.customer_id} returning t.id`)
  if (back.length === 0) return
  const after = { undone: 'check_out' }
  await logActivityOfMany(scope, { action: 'update', entity: roomGuests, ids: back.map(({ id }) => id), after })
}

async function writeGuestChanges(scope: Scope, { guestChanges: days, guestNames: names }: PendingWrites) {
  const ids = [...new Set([...days.keys(), ...names.keys()])]
  if (ids.length === 0) return
  const before = await rowsOf(scope, roomGuests, ids)
  // Guests of one stay are changed by one statement, so that the trigger does not split their stay.
  for (const some of Map.groupBy(days, ([, values]) => Object.keys(values).toSorted().join()).values())
    await changeEach(scope, some)
  await changeEach(scope, [...names])
  await logUpdated(scope, roomGuests, before, await rowsOf(scope, roomGuests, ids))
}

/** Changes each guest to its own values, of the same columns. */
async function changeEach(scope: Scope, changes: readonly (readonly [id: number, values: object])[]) {
  const [first] = changes
  if (!first) return
  const columns = Object.keys(first[1]).map((name) => sql`${sql.ref(name)} = d.${sql.ref(name)}`)
  await scope.run(sql`
    update room_guests as t set ${sql.join(columns)}
    from json_populate_recordset(null::room_guests, ${JSON.stringify(changes.map(([id, values]) => ({ ...values, id })))}) as d
    where t.id = any(${changes.map(([id]) => id)}) and t.id = d.id and ${scope.inReach('room_guests', 't')}`)
}

async function writeCheckedIn(scope: Scope, ids: number[]) {
  if (ids.length === 0) return
  const come = await scope.change('room_guests', sql`t.id = any(${ids}) and t.checked_in_at is null`, {
    checked_in_at: sql`app_now()`,
  })
  if (come.length === 0) return
  await logActivityOfMany(scope, {
    action: 'update',
    entity: roomGuests,
    ids: come,
    before: { checked_in_at: null },
    after: { checked_in_at: new Date().toISOString() },
  })
}

async function writeStayChanges(scope: Scope, { stayChanges: news, noShows: no_shows }: PendingWrites) {
  // A stay with a guest still present is not a no-show: the desk may have entered guests together whom the system has apart.
  if (no_shows.size > 0)
    await scope.change(
      'stays',
      sql<boolean>`t.id in (select g.stay_id from room_guests as g
          where g.id = any(${[...no_shows]}) and ${scope.inReach('room_guests', 'g')})
        and not exists (select from room_guests as g where g.customer_id = t.customer_id and g.stay_id = t.id
          and g.deleted_at is null and not g.id = any(${[...no_shows]}))`,
      { no_show: true },
    )
  if (news.size === 0) return
  const reported = [...news].map(([id, one]) => ({ id, ...one, is_timed: one.until_time !== undefined }))
  await scope.run(sql`
    update stays as t set source = 'system', no_show = false, may_be_charged = d.may_be_charged, told_at = app_now(),
      in_dispute = coalesce(d.in_dispute, t.in_dispute), until_time = case when d.is_timed then d.until_time else t.until_time end
    from json_to_recordset(${JSON.stringify(reported)})
      as d(id integer, may_be_charged boolean, in_dispute boolean, until_time time, is_timed boolean)
    where t.id = any(${[...news.keys()]}) and t.id = d.id and ${scope.inReach('stays', 't')} and (t.source <> 'system'
      or t.may_be_charged <> d.may_be_charged or t.no_show or d.is_timed or t.in_dispute <> coalesce(d.in_dispute, t.in_dispute))`)
}

/** Inserts stays that are reported for the first time, and their guests. */
async function writeNewStays(sync: StaySync, arrivals: readonly NewStay[]) {
  if (arrivals.length === 0) return
  const { scope, source } = sync
  const { property_id, package_id, checks_dispute = false } = source
  const stays = await idsOf(
    scope,
    sql`insert into stays (customer_id, property_id, room_id, room_number, stay_key, arrives_on, departs_on, until_time,
        may_be_charged, in_dispute, package_id, source, told_at)
      select ${scope.customer_id}, ${property_id}, a.room_id, a.room_number, a.stay_key, a.arrives_on, a.departs_on, a.until_time,
        a.may_be_charged, ${checks_dispute} and coalesce(a.in_dispute, false), ${package_id}::integer, 'system', app_now()
      from ${each(arrivals.map(({ row, next, room }) => ({ ...next, ...numbered(room), stay_key: row.stay_key })))}
        as a(at integer, room_id integer, room_number text, stay_key text, arrives_on date, departs_on date, until_time time,
          may_be_charged boolean, in_dispute boolean)
      order by a.at returning id`,
  )
  const guests = arrivals.flatMap(({ row, next, room }, at) =>
    (next.guests.length > 0 ? next.guests : [nameless]).map((reported) => ({
      reported,
      row,
      next,
      room,
      stay_id: stays[at],
    })),
  )
  const made = await idsOf(
    scope,
    sql`insert into room_guests (customer_id, property_id, room_id, stay_id, external_reference, last_name, first_name, email,
        mobile_number, arrives_on, departs_on)
      select ${scope.customer_id}, ${property_id}, a.room_id, a.stay_id, a.stay_key, a.last_name, a.first_name, a.email,
        a.mobile_number, a.arrives_on, a.departs_on
      from ${each(
        guests.map(({ reported, row, next: { arrives_on, departs_on }, room, stay_id }) => {
          const days = { arrives_on, departs_on }
          return { ...reportedNames(reported), ...days, room_id: room.id, stay_id, stay_key: row.stay_key }
        }),
      )} as a(at integer, room_id integer, stay_id integer, stay_key text, last_name text, first_name text, email text,
        mobile_number text, arrives_on date, departs_on date)
      order by a.at returning id`,
  )
  await logCreated(scope, roomGuests, await rowsOf(scope, roomGuests, made))
  sync.result.arrived.push(...made)
  for (const { row, next } of arrivals) {
    const { room, arrives_on, departs_on, until_time } = next
    row.applied = { in: true, room, arrives_on, departs_on, until_time, guests: [] }
  }
  for (const [at, { reported, row }] of guests.entries()) row.applied?.guests.push({ ...reported, id: made[at] ?? 0 })
}

const numbered = ({ id, number }: NewStay['room']) => ({ room_id: id, room_number: number })
/** Rows for SQL, numbered in their order. */
const each = (rows: readonly object[]) =>
  sql`json_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, at })))})`
/** The ids that an ordered insert has made, in its order. */
const idsOf = async (scope: Scope, insert: RawBuilder<unknown>) =>
  (await scope.run(insert as RawBuilder<{ id: number }>)).map(({ id }) => id).toSorted((a, b) => a - b)

async function writeSyncedStays({ scope, source }: StaySync, rows: readonly SyncedStay[]) {
  const { interface_id, property_id } = source
  const [known, fresh] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)]
  if (known.length > 0)
    await scope.run(sql`
      update told_stays as t set told = d.told, told_at = d.told_at, applied = d.applied, leaves_at = d.leaves_at
      from json_populate_recordset(null::told_stays, ${JSON.stringify(known)}) as d
      where t.id = any(${known.map(({ id }) => id)}) and t.id = d.id and ${scope.inReach('told_stays', 't')}`)
  if (fresh.length === 0) return
  const made = await idsOf(
    scope,
    sql`insert into told_stays (customer_id, property_interface_id, property_id, stay_key, told, told_at, applied, leaves_at)
      select ${scope.customer_id}, ${interface_id}, ${property_id}, a.stay_key, a.told, a.told_at, a.applied, a.leaves_at
      from ${each(fresh)} as a(at integer, stay_key text, told jsonb, told_at timestamptz, applied jsonb, leaves_at timestamptz)
      order by a.at returning id`,
  )
  for (const [at, row] of fresh.entries()) row.id = made[at] ?? null
}

/** A difference that a person has kept is opened again when the system reports another value. */
async function writeDifferences({ scope, source }: StaySync, { differences }: PendingWrites) {
  const all = [...differences].flatMap(([{ id }, those]) => those.map((one) => ({ ...one, told_stay_id: id })))
  const reported = sql`json_to_recordset(${JSON.stringify(all)})
    as d(told_stay_id integer, room_guest_id integer, field text, system text, ours text)`
  if (differences.size > 0)
    await scope.run(sql`
      delete from stay_differences as t where t.told_stay_id = any(${[...differences.keys()].map(({ id }) => id)})
        and ${scope.inReach('stay_differences', 't')} and not exists (select from ${reported}
          where d.told_stay_id = t.told_stay_id and d.field = t.field and d.room_guest_id is not distinct from t.room_guest_id)`)
  if (all.length > 0)
    await scope.run(sql`
      insert into stay_differences as t (customer_id, property_id, told_stay_id, room_guest_id, field, system, ours)
      select ${scope.customer_id}, ${source.property_id}, d.told_stay_id, d.room_guest_id, d.field, d.system, d.ours from ${reported}
      on conflict (customer_id, told_stay_id, coalesce(room_guest_id, 0), field) do update
        set system = excluded.system, ours = excluded.ours, kept = t.kept and t.system is not distinct from excluded.system`)
}

async function writeDepartures(
  { scope, queue }: StaySync,
  { departures, cancelledDepartures: staying }: PendingWrites,
) {
  if (staying.size > 0)
    await dropDue(
      scope,
      departureKind,
      [...staying].map(({ id }) => id).filter((id) => id !== null),
    )
  const due = [...departures].map(([{ id }, after_s]) => ({ about_id: id, after_s }))
  await queueDue(
    scope,
    queue,
    departureKind,
    due.filter((one): one is { about_id: number; after_s: number } => one.about_id !== null),
  )
}

// Told writing: what was decided of many stays within one moment, by a few statements: whoever comes back, who is elsewhere or called
// otherwise, who leaves, who comes, and what was told of each.
import { sql, type RawBuilder } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { dropDue, dueKind, queueDue } from '#server/due/due-work.ts'
import { logActivityOfMany, logCreated, logUpdated } from '#server/entities/activity-log.ts'
import { rowsOf } from '#server/entities/read.ts'
import { removeRows } from '#server/entities/verbs.ts'
import { roomGuests } from './guests.ts'
import { namesOf, Unwritten, type Arrival, type Row, type Telling } from './told-rows.ts'
import { nameless } from './words.ts'

export const departureKind = dueKind('departure')

/** In an order in which a guest may come back, move and leave, and a room is left before others come. */
export async function write(telling: Telling) {
  const { scope, unwritten } = telling
  telling.unwritten = new Unwritten()
  await writeBack(telling, [...unwritten.back])
  await writeGuests(scope, unwritten)
  await writeCome(scope, [...unwritten.come])
  await writeNews(scope, unwritten)
  if (unwritten.gone.size > 0) await removeRows(scope, roomGuests, [...unwritten.gone])
  await writeArrivals(telling, [...unwritten.arrivals.values()])
  for (const row of unwritten.arrivals.keys()) {
    unwritten.rows.add(row)
    unwritten.differences.set(row, [])
  }
  await writeRows(telling, [...unwritten.rows])
  await writeDifferences(telling, unwritten)
  await writeDepartures(telling, unwritten)
  telling.forget((ours) => unwritten.isOfGuest(ours))
}

async function writeBack({ scope, teller }: Telling, ids: number[]) {
  if (ids.length === 0) return
  const back = await scope.run(sql<ColumnsOf<'room_guests', 'id'>>`
    update room_guests as t set deleted_at = null where t.id = any(${ids}) and t.deleted_at is not null
      and t.property_id = ${teller.property_id} and t.customer_id = ${scope.customer_id} returning t.id`)
  if (back.length === 0) return
  const after = { undone: 'check_out' }
  await logActivityOfMany(scope, { action: 'update', entity: roomGuests, ids: back.map(({ id }) => id), after })
}

async function writeGuests(scope: Scope, { days, names }: Unwritten) {
  const ids = [...new Set([...days.keys(), ...names.keys()])]
  if (ids.length === 0) return
  const before = await rowsOf(scope, roomGuests, ids)
  // Those of one stay at once, so that none of them is parted from the others.
  for (const some of Map.groupBy(days, ([, values]) => Object.keys(values).toSorted().join()).values())
    await changeEach(scope, some)
  await changeEach(scope, [...names])
  await logUpdated(scope, roomGuests, before, await rowsOf(scope, roomGuests, ids))
}

/** Each to its own values, of the same columns. */
async function changeEach(scope: Scope, changes: readonly (readonly [id: number, values: object])[]) {
  const [first] = changes
  if (!first) return
  const columns = Object.keys(first[1]).map((name) => sql`${sql.ref(name)} = d.${sql.ref(name)}`)
  await scope.run(sql`
    update room_guests as t set ${sql.join(columns)}
    from json_populate_recordset(null::room_guests, ${JSON.stringify(changes.map(([id, values]) => ({ ...values, id })))}) as d
    where t.id = any(${changes.map(([id]) => id)}) and t.id = d.id and ${scope.inReach('room_guests', 't')}`)
}

async function writeCome(scope: Scope, ids: number[]) {
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

async function writeNews(scope: Scope, { news, no_shows }: Unwritten) {
  // A stay of whom somebody is there is none: the desk may have entered together whom the system knows apart.
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
  const said = [...news].map(([id, one]) => ({ id, ...one, is_timed: one.until_time !== undefined }))
  await scope.run(sql`
    update stays as t set source = 'system', no_show = false, may_be_charged = d.may_be_charged, told_at = app_now(),
      in_dispute = coalesce(d.in_dispute, t.in_dispute), until_time = case when d.is_timed then d.until_time else t.until_time end
    from json_to_recordset(${JSON.stringify(said)})
      as d(id integer, may_be_charged boolean, in_dispute boolean, until_time time, is_timed boolean)
    where t.id = any(${[...news.keys()]}) and t.id = d.id and ${scope.inReach('stays', 't')} and (t.source <> 'system'
      or t.may_be_charged <> d.may_be_charged or t.no_show or d.is_timed or t.in_dispute <> coalesce(d.in_dispute, t.in_dispute))`)
}

/** Stays that nothing was known of, and their guests. */
async function writeArrivals(telling: Telling, arrivals: readonly Arrival[]) {
  if (arrivals.length === 0) return
  const { scope, teller } = telling
  const { property_id, package_id, checks_dispute = false } = teller
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
    (next.guests.length > 0 ? next.guests : [nameless]).map((said) => ({ said, row, next, room, stay_id: stays[at] })),
  )
  const made = await idsOf(
    scope,
    sql`insert into room_guests (customer_id, property_id, room_id, stay_id, external_reference, last_name, first_name, email,
        mobile_number, arrives_on, departs_on)
      select ${scope.customer_id}, ${property_id}, a.room_id, a.stay_id, a.stay_key, a.last_name, a.first_name, a.email,
        a.mobile_number, a.arrives_on, a.departs_on
      from ${each(
        guests.map(({ said, row, next: { arrives_on, departs_on }, room, stay_id }) => {
          const days = { arrives_on, departs_on }
          return { ...namesOf(said), ...days, room_id: room.id, stay_id, stay_key: row.stay_key }
        }),
      )} as a(at integer, room_id integer, stay_id integer, stay_key text, last_name text, first_name text, email text,
        mobile_number text, arrives_on date, departs_on date)
      order by a.at returning id`,
  )
  await logCreated(scope, roomGuests, await rowsOf(scope, roomGuests, made))
  telling.heard.arrived.push(...made)
  for (const { row, next } of arrivals) {
    const { room, arrives_on, departs_on, until_time } = next
    row.applied = { in: true, room, arrives_on, departs_on, until_time, guests: [] }
  }
  for (const [at, { said, row }] of guests.entries()) row.applied?.guests.push({ ...said, id: made[at] ?? 0 })
}

const numbered = ({ id, number }: Arrival['room']) => ({ room_id: id, room_number: number })
/** Rows for SQL, numbered in their order. */
const each = (rows: readonly object[]) =>
  sql`json_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, at })))})`
/** Of what an ordered insert has made, in that order. */
const idsOf = async (scope: Scope, insert: RawBuilder<unknown>) =>
  (await scope.run(insert as RawBuilder<{ id: number }>)).map(({ id }) => id).toSorted((a, b) => a - b)

async function writeRows({ scope, teller }: Telling, rows: readonly Row[]) {
  const { interface_id, property_id } = teller
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

/** What a person has kept is asked again when the system says something else. */
async function writeDifferences({ scope, teller }: Telling, { differences }: Unwritten) {
  const all = [...differences].flatMap(([{ id }, those]) => those.map((one) => ({ ...one, told_stay_id: id })))
  const said = sql`json_to_recordset(${JSON.stringify(all)})
    as d(told_stay_id integer, room_guest_id integer, field text, system text, ours text)`
  if (differences.size > 0)
    await scope.run(sql`
      delete from stay_differences as t where t.told_stay_id = any(${[...differences.keys()].map(({ id }) => id)})
        and ${scope.inReach('stay_differences', 't')} and not exists (select from ${said}
          where d.told_stay_id = t.told_stay_id and d.field = t.field and d.room_guest_id is not distinct from t.room_guest_id)`)
  if (all.length > 0)
    await scope.run(sql`
      insert into stay_differences as t (customer_id, property_id, told_stay_id, room_guest_id, field, system, ours)
      select ${scope.customer_id}, ${teller.property_id}, d.told_stay_id, d.room_guest_id, d.field, d.system, d.ours from ${said}
      on conflict (customer_id, told_stay_id, coalesce(room_guest_id, 0), field) do update
        set system = excluded.system, ours = excluded.ours, kept = t.kept and t.system is not distinct from excluded.system`)
}

async function writeDepartures({ scope, queue }: Telling, { departures, staying }: Unwritten) {
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

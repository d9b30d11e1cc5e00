// Missed nights: two installations with the same properties, in which the same happens for a week. In one, the nights are written as
// they end; in the other no job runs all week, and then the real process writes them all: killed in the middle, with one property
// whose night cannot be written. In the end both have the same nights.
import { addDays } from '#contract/days.ts'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { keepNights } from '#server/billing/keep-nights.ts'
import { connect } from '#server/db/logins.ts'
import { setClock } from '#server/time/clock.ts'
import { dayBegins } from '#server/time/zones.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { patient } from '#test/foyer.ts'
import { killAll, startFoyer } from '#test/process.ts'
import { chance, full, seed } from './proof.ts'

const properties = full ? 200 : 12
/** Of each kind in each property: rooms, and as many accounts. */
const rooms = full ? 150 : 12
const nights = 7
const zones = full
  ? ['Pacific/Kiritimati', 'Asia/Kathmandu', 'Europe/London', 'America/Los_Angeles', 'Pacific/Honolulu']
  : ['Pacific/Auckland', 'America/Los_Angeles']
/** The job comes some time after midnight, and people go on working meanwhile. */
const after_midnight_ms = 120_000
const patience = { timeout: 900_000, interval: 20 }

interface Installation {
  database: TestDatabase
  admin: Client
  tenancy: Tenancy
}
async function open(): Promise<Installation> {
  const database = await freshDatabase()
  return { database, admin: await connect(database.adminUrl), tenancy: openTenancy(database, patient) }
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-nights-'))
let always: Installation
let off: Installation
beforeAll(async () => {
  ;[always, off] = [await open(), await open()]
})
afterEach(() => setClock())
afterAll(async () => {
  killAll()
  for (const { admin, tenancy, database } of [always, off]) {
    await admin.end()
    await tenancy.close()
    await database.drop()
  }
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const first_day = new Date(Date.now() - (nights + 1) * 86_400_000).toISOString().slice(0, 10)

/** One large customer and some small ones, with all of their records from before the first night. */
async function build({ admin }: Installation) {
  await admin.query(`
    insert into customers (name) select 'Customer ' || n from generate_series(1, 4) n;
    insert into groups (customer_id, name) select id, 'Group ' || id from customers order by id`)
  await admin.query(
    `insert into properties (customer_id, group_id, name, time_zone, total_units, rate_per_unit, minimum_billable_percentage,
       holiday_billable_percentage, currency, country_id)
     select c.id, g.id, 'House ' || n, ($2::text[])[1 + n % cardinality($2::text[])], $3, 10 + n, 30, 10,
       case when n % 2 = 0 then 'GBP' end, 1
     from generate_series(1, $1::integer) n
     join customers c on c.id = (select min(id) from customers) + case when n % 4 = 0 then n / 4 % 3 + 1 else 0 end
     join groups g on g.customer_id = c.id order by n`,
    [properties, zones, rooms],
  )
  await admin.query(
    `insert into rooms (customer_id, property_id, number) select p.customer_id, p.id, n::text
     from properties p, generate_series(1, $1::integer) n order by p.id, n`,
    [rooms],
  )
  await admin.query(`
    insert into accounts (customer_id, property_id, room_id, name, active)
      select customer_id, property_id, case when id % 5 > 0 then id end, 'Account ' || id, id % 7 > 0 from rooms order by id;
    insert into room_guests (customer_id, room_id, last_name, arrives_on, departs_on)
      select customer_id, id, 'Guest ' || id, date '${first_day}' - 3 + (id % 11), date '${first_day}' + (id % 13)
      from rooms where id % 3 > 0 order by id;
    insert into property_holidays (customer_id, property_id, name, starts_on, ends_on)
      select customer_id, id, 'Fair', date '${first_day}' + id % 5, date '${first_day}' + id % 5 + 1 from properties order by id;
    update night_ledgers set begins_on = '${first_day}', kept_from = '${first_day}', kept_until = date '${first_day}' - 1`)
  for (const table of ['properties', 'rooms', 'accounts', 'room_guests', 'property_holidays'])
    await admin.query(`update ${table} set created_at = $1::date - interval '20 days'`, [first_day])
  await admin.query('analyze')
}

/** Something that happens to one record. */
interface Happening {
  at: string
  id: number
  value: unknown
}

/** As the app writes it: the line of the log says what stood there, or of a change of many only what became of them. */
async function apply({ admin }: Installation, table: string, field: string, many: boolean, all: Happening[]) {
  const given = `jsonb_to_recordset($1::jsonb) as e(at timestamptz, id integer, value jsonb)`
  const line = many ? 'null' : `jsonb_build_object('${field}', to_jsonb(t) -> '${field}')`
  await admin.query(
    `with line as (
       insert into activity (customer_id, action, object_type, object_id, before, after, created_at)
       select t.customer_id, 'update', '${table}', t.id, ${line}, jsonb_build_object('${field}', e.value), e.at
       from ${given} join ${table} t on t.id = e.id
       where t.deleted_at is null and to_jsonb(t) -> '${field}' is distinct from e.value)
     update ${table} t set ${field} = (jsonb_populate_record(t, jsonb_build_object('${field}', e.value))).${field}
     from ${given} where t.id = e.id and t.deleted_at is null`,
    [JSON.stringify(all)],
  )
}

const removed = ({ admin }: Installation, table: string, all: Happening[]) =>
  admin.query(
    `update ${table} t set deleted_at = e.at from jsonb_to_recordset($1::jsonb) as e(at timestamptz, id integer)
     where t.id = e.id and t.deleted_at is null`,
    [JSON.stringify(all)],
  )

async function made({ admin }: Installation, all: Happening[]) {
  await admin.query(
    `insert into room_guests (customer_id, room_id, last_name, arrives_on, created_at)
     select r.customer_id, r.id, 'Late', local_day(e.at, 'UTC'), e.at
     from jsonb_to_recordset($1::jsonb) as e(at timestamptz, id integer) join rooms r on r.id = e.id order by e.id`,
    [JSON.stringify(all)],
  )
}

const next = chance()
const whole = (below: number) => Math.floor(next() * below)

/** No field of a record is changed twice between two instants: the log tells such changes in the order in which they are made. */
const isOdd = ({ id }: Happening) => id % 2 === 1
const isEven = (happening: Happening) => !isOdd(happening)

/** What happens between two instants, of each kind in each property. All records of a property have ids in one row. */
function happenings(from: number, to: number) {
  const within = (size: number, values: (id: number) => unknown): Happening[] => {
    const chosen = new Map<number, Happening>()
    for (let place = 0; place < properties; place++) {
      const id = 1 + (size === 1 ? place : place * size + whole(size))
      const at = new Date(from + 1 + whole(to - from - 1)).toISOString()
      if (size > 1 || whole(4) === 0) chosen.set(id, { at, id, value: values(id) })
    }
    return [...chosen.values()]
  }
  /** A room of the same property as that of a record. */
  const neighbour = (id: number) => Math.floor((id - 1) / rooms) * rooms + 1 + whole(rooms)
  const day = () => addDays(first_day, whole(nights + 4) - 2)
  const ofRooms = (values: (id: number) => unknown) => within(rooms, values)
  const ofHouses = (values: (id: number) => unknown) => within(1, values)
  return {
    changed: [
      { table: 'accounts', field: 'active', all: ofRooms(() => whole(2) === 0).filter(isOdd) },
      { table: 'accounts', field: 'active', many: true, all: ofRooms(() => false).filter(isEven) },
      { table: 'accounts', field: 'room_id', all: ofRooms(neighbour) },
      { table: 'accounts', field: 'expires_at', all: ofRooms(() => `${day()}T${10 + whole(14)}:00:00+00:00`) },
      { table: 'rooms', field: 'active', all: ofRooms(() => whole(3) > 0) },
      { table: 'rooms', field: 'number', all: ofRooms((id) => `${id} ${to}`) },
      { table: 'room_guests', field: 'departs_on', all: ofRooms(day) },
      { table: 'room_guests', field: 'arrives_on', all: ofRooms(day) },
      { table: 'properties', field: 'rate_per_unit', all: ofHouses(() => whole(90)) },
      { table: 'properties', field: 'total_units', all: ofHouses(() => whole(2 * rooms)) },
      { table: 'properties', field: 'currency', all: ofHouses(() => ['EUR', 'JPY', null][whole(3)]) },
      { table: 'properties', field: 'name', all: ofHouses((id) => `Inn ${id} ${to}`) },
      { table: 'property_holidays', field: 'ends_on', all: ofHouses(() => addDays(first_day, nights - whole(2))) },
    ],
    removed: [
      { table: 'room_guests', all: ofRooms(() => null) },
      { table: 'accounts', all: whole(4) === 0 ? ofRooms(() => null) : [] },
      { table: 'rooms', all: whole(8) === 0 ? ofRooms(() => null) : [] },
    ],
    made: ofRooms(() => null),
  }
}

/** The instants at which a night ends in one of the zones, oldest first. */
function midnights(): number[] {
  const days = Array.from({ length: nights + 1 }, (_, day) => addDays(first_day, day + 1))
  const all = zones.flatMap((zone) => days.map((day) => dayBegins(day, zone)))
  return [...new Set(all)].filter((at) => at < Date.now() - 2 * after_midnight_ms).toSorted((one, other) => one - other)
}

/** Returns how much happened. */
async function aWeek(): Promise<number> {
  let from = dayBegins(first_day, 'Pacific/Kiritimati')
  let count = 0
  for (const midnight of midnights()) {
    const to = midnight + after_midnight_ms
    const all = happenings(from, to)
    for (const installation of [always, off]) {
      for (const { table, field, many = false, all: some } of all.changed)
        await apply(installation, table, field, many, some)
      for (const { table, all: some } of all.removed) await removed(installation, table, some)
      await made(installation, all.made)
    }
    count += [...all.changed, ...all.removed, { all: all.made }].reduce((sum, { all: some }) => sum + some.length, 0)
    setClock(to)
    await keepNights(always.tenancy)
    from = to
  }
  setClock()
  await keepNights(always.tenancy)
  return count
}

const nightsOf = async ({ admin }: Installation): Promise<string[]> =>
  (
    await admin.query<{ row: string }>(
      `select concat_ws(' ', property_id, night, total_units, occupied_units, room_numbers, is_holiday, holiday, rate_per_unit, currency,
         minimum_billable_percentage, holiday_billable_percentage, time_zone, property_name, group_id, unknown_because) as row
       from occupancy_nights order by property_id, night, version`,
    )
  ).rows.map(({ row }) => row)
const nightsWritten = async ({ admin }: Installation): Promise<number> =>
  (await admin.query<{ count: number }>('select count(*)::integer as count from occupancy_nights')).rows[0]?.count ?? 0

const settings = () => ({
  DATA_DIR: folder,
  DATABASE_URL: off.database.appUrl,
  DATABASE_AUTH_URL: off.database.authUrl,
  DATABASE_GUEST_URL: off.database.guestUrl,
  DATABASE_OWNER_URL: off.database.ownerUrl,
  SECRET_KEY: off.database.secretKey,
  ROLES: 'jobs',
})

/** Starts the process, and kills it once it waits for the ledger of a property that somebody else holds. */
async function killedInTheMiddle(property_id: number): Promise<number> {
  const holder = await connect(off.database.adminUrl)
  const started = performance.now()
  try {
    await holder.query('begin')
    await holder.query('select from night_ledgers where property_id = $1 for update', [property_id])
    const foyer = await startFoyer(settings())
    const waits = async () =>
      (
        await off.admin.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%write_nights%'`,
        )
      ).rowCount
    await vi.waitUntil(async () => (await waits()) === 1, patience)
    await foyer.kill()
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
  return performance.now() - started
}

test(
  `a week of nights of ${properties} properties, written late by a killed process, are those written in time (seed ${seed})`,
  { timeout: 3_600_000 },
  async ({ task }) => {
    for (const installation of [always, off]) await build(installation)
    const count = await aWeek()
    const expected = await nightsOf(always)
    expect(expected.length).toBeGreaterThanOrEqual(properties * nights)
    expect(await nightsWritten(off)).toBe(0)

    // The smaller customers need not wait for all properties of the largest one.
    const due = await off.admin.query<{ customer_id: number; property_id: number }>('select * from door_due_nights()')
    expect(new Set(due.rows.slice(0, 4).map(({ customer_id }) => customer_id)).size).toBe(4)

    const broken = due.rows.at(-3)?.property_id ?? 0
    await off.admin.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'this night cannot be written'; end $$;
      create trigger refuse before insert on occupancy_nights for each row
        when (new.property_id = ${broken} and new.night = '${addDays(first_day, 3)}') execute function refuse()`)
    const middle = due.rows[Math.floor(properties / 2)]?.property_id ?? 0
    let spent_ms = await killedInTheMiddle(middle)
    const [before] = [await nightsWritten(off)]
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(expected.length / 2 + nights)

    const started = performance.now()
    const foyer = await startFoyer(settings())
    const missing = expected.filter((row) => row.startsWith(`${broken} `)).length - 3
    await vi.waitUntil(async () => (await nightsWritten(off)) >= expected.length - missing, patience)
    spent_ms += performance.now() - started
    // The job counts as failed, and says of which property the nights are missing.
    const failed = async () =>
      (
        await off.admin.query<{ output: string }>(
          `select output::text from pgboss.job where name = 'keep_nights' and state = 'failed'`,
        )
      ).rows.map(({ output }) => output)
    await expect.poll(failed, patience).toEqual([expect.stringContaining(`nights of property ${broken}: `)])
    await foyer.kill()
    const isOfBroken = (row: string) => row.startsWith(`${broken} `)
    const written = await nightsOf(off)
    expect(written.filter((row) => !isOfBroken(row))).toEqual(expected.filter((row) => !isOfBroken(row)))
    expect(written.filter(isOfBroken)).toEqual(expected.filter(isOfBroken).slice(0, 3))

    await off.admin.query('drop trigger refuse on occupancy_nights')
    await keepNights(off.tenancy)
    expect(await nightsOf(off)).toEqual(expected)
    expect(spent_ms).toBeLessThan(300_000)
    task.meta.figures =
      `${expected.length} nights of ${properties} properties with ${rooms} rooms and accounts each, after ${count} changes, written in ` +
      `${(spent_ms / 1000).toFixed(1)} s including two starts of the process, seed ${seed}`
    console.log(task.meta.figures)
  },
)

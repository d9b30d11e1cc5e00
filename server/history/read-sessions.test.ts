// Read sessions: whatever is asked of former months is answered as before they were packed, erased as before, and forgotten in time.
import type { Client } from 'pg'
import { sql } from 'kysely'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as guests from '#contract/guests.ts'
import * as reports from '#contract/reports.ts'
import * as sessions from '#contract/sessions.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { placeOf } from '#server/admission/property-checks.ts'
import { confirm } from '#server/guest/confirmations.ts'
import { openReport } from '#server/reports/file.ts'
import { reportQueryOf } from '#server/reports/report-query.ts'
import { usedBy, usedInStay } from '#server/resources/guest-help/used.ts'
import { forgetGuests } from '#server/sessions/forget-guests.ts'
import { localDay } from '#server/time/zones.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { packSessions } from './pack-sessions.ts'
import { sessionsBetween } from './read-sessions.ts'
import { sessionColumns, unpacked } from './pack-columns.ts'

const day_ms = 86_400_000
const hot_ms = 60 * day_ms
/** The sessions begin then, and every 22 hours. */
const first_day = new Date(Math.floor(Date.now() / day_ms - 550) * day_ms)
/** By them packets find their session, it is ended while it is online, and people search; trials are never packed. */
const not_packed = ['session_key', 'generation', 'reported_from', 'search', 'trial_id']

const ever = { since: new Date(0), until: new Date(Date.now() + 1000 * day_ms) }

/** By what it is called, since ids go on from place to place. */
const isEven = `right(acct_session_id, 1)::integer % 2 = 0`

let foyer: TestFoyer
let admin: Client
let editor: Person
let place: { customer_id: number; property_id: number; gateway_id: number; guest_ids: number[] }
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})
beforeEach(async () => {
  editor = await foyer.customer()
  place = await placeWithSessions(editor)
})

/** 300 sessions of ten guests in a year and a half, on devices of their own, some over midnight; and as many of nobody who signed in. */
async function placeWithSessions(who: Person) {
  const { id: property_id } = await foyer.property(who, { time_zone: 'Europe/London' })
  const { id: gateway_id } = await foyer.gateway(who, { property_id })
  const customer_id = who.user.customer.id
  const { rows } = await admin.query<{ id: number }>(
    `insert into guests (customer_id, property_id, email) select $1, $2, 'guest' || i || '@example.com' from generate_series(0, 9) as i
     returning id`,
    [customer_id, property_id],
  )
  const guest_ids = rows.map(({ id }) => id)
  await admin.query(
    `with made as (
       insert into radius_sessions (customer_id, property_id, gateway_id, session_key, acct_session_id, auth_method_id, guest_id,
         identifier, username, mac_address, calling_station, ip, ipv6, started_at, last_seen_at, stopped_at, created_at, accepted_at,
         ends_at, disconnect_asked_at, disconnect_for, seconds, bytes_up, bytes_down, termination_cause, stop_inferred, authorisation_id,
         days, terms, box_session)
       select $1::integer, $2::integer, $3::integer, 'key ' || i, 'acct ' || i, 1 + i % 3,
         case when i % 2 = 0 then ($4::bigint[])[1 + who] end,
         'guest' || who || '@example.com', nullif('name ' || i, 'name 7'), mac, case when i % 7 > 0 then upper(mac::text) end,
         case when i % 11 > 0 then ('10.0.' || i / 200 || '.' || i % 200)::inet end,
         case when i % 13 = 0 then array['2001:db8::1', '2001:db8:1::/64'] else '{}' end, began, ended, ended, began + interval '13 ms',
         case when i % 5 > 0 then began - interval '1.000001 s' end, began + interval '1 day', case when i % 17 = 0 then ended end,
         case when i % 17 = 0 then 'Admin-Reset' end, 3600, i * 10, i * 1000000007::bigint, 'User-Request', i % 19 = 0, i * 3,
         case when i % 23 = 0 then '{}' when (began at time zone 'Europe/London')::date = (ended at time zone 'Europe/London')::date
           then jsonb_build_object((began at time zone 'Europe/London')::date, array[3600, i * 10, i * 1000000007::bigint])
           else jsonb_build_object((began at time zone 'Europe/London')::date, array[600, i, i * 1000],
             (ended at time zone 'Europe/London')::date, array[3600, i * 10, i * 1000000007::bigint]) end,
         case when i % 29 = 0 then '{"speed_mbps": 7}'::jsonb end, case when i % 31 = 0 then 'box ' || i end
       from generate_series(1, 600) as i
       cross join lateral (select i % 10 as who, $5::timestamptz + i * interval '22 hours' as began,
         ('02000000000' || i % 10)::macaddr as mac) as one
       cross join lateral (select began + interval '1 h 0.000007 s' as ended) as until
       where began < now() - interval '2 days'
       returning *)
     insert into session_addresses (customer_id, property_id, radius_session_id, address, since, until)
     select customer_id, property_id, id, ip, started_at, case when ${isEven} then started_at + interval '20 min' end from made
       where ip is not null
     union all
     select customer_id, property_id, id, '2001:db8::/64', started_at + interval '21 min', null from made where ${isEven}`,
    [customer_id, property_id, gateway_id, guest_ids, first_day],
  )
  return { customer_id, property_id, gateway_id, guest_ids }
}

const pack = () => packSessions(foyer.services, hot_ms)

/** All of the place, packed or not, by id, without what is not packed. */
async function allSessions(of = place): Promise<Record<string, unknown>[]> {
  const rows = await foyer.services.tenancy.enter(callerOfJob(of.customer_id, 'test'), 'read', (scope) =>
    scope.run(sql<{ session: Record<string, unknown> }>`
      select session from (
        select to_jsonb(t) - ${not_packed}::text[] as session from radius_sessions as t where t.property_id = ${of.property_id}
        union all
        select to_jsonb(t) from (${unpacked(sessionColumns, sql`true`)}) as t where t.property_id = ${of.property_id}) as f
      order by (session ->> 'id')::bigint`),
  )
  return rows.map(({ session }) => session)
}

const count = async (table: 'radius_sessions' | 'session_addresses' | 'packed_sessions') => {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::integer from ${table} where property_id = $1`,
    [place.property_id],
  )
  return rows[0]?.count ?? 0
}

test('each column of a session is kept to the microsecond, and only sessions that ended in former months are packed', async () => {
  const before = await allSessions()
  expect(before.length).toBeGreaterThan(500)
  await pack()
  expect(await allSessions()).toEqual(before)
  const packs = await count('packed_sessions')
  expect(packs).toBeGreaterThan(12)
  const { rows } = await admin.query<{ present: boolean }>(
    `select bool_and(stopped_at >= date_trunc('month', now() - make_interval(secs => $2), 'UTC')) as present from radius_sessions
     where property_id = $1`,
    [place.property_id, hot_ms / 1000],
  )
  expect(rows).toEqual([{ present: true }])
  // Nothing is left to be packed.
  await pack()
  expect(await count('packed_sessions')).toBe(packs)
})

/** Of a guest who lives in a room since, as long leases have it. */
async function stayOf(guest_id: number | undefined): Promise<number> {
  const { id: room_id } = await foyer.room(editor, { property_id: place.property_id })
  const { id } = await foyer.roomGuest(editor, { room_id })
  const { rows } = await admin.query<{ stay_id: number }>(
    `with guest as (update guests set room_guest_id = $1 where id = $2)
     select stay_id from room_guests where id = $1`,
    [id, guest_id],
  )
  return rows[0]?.stay_id ?? 0
}

async function oldestSession(): Promise<number> {
  const [oldest] = await allSessions()
  return Number(oldest?.['id'])
}

/** What people ask of the months that are packed, and of the edge to those that are not. */
async function answers(stay_id: number) {
  const ask = async (asked: object) => {
    const { data, meta } = await foyer.get(
      reports.run,
      { kind: 'session', date_range: 'custom', columns: ['start'], ...asked } as never,
      editor,
    )
    return { data, meta: { ...meta, next_cursor: meta.next_cursor !== null } }
  }
  const day = (ago: number) => localDay(Date.now() - ago * day_ms, 'Europe/London')
  const whole = { start_date: day(600), end_date: day(0) }
  const first = await foyer.get(
    reports.run,
    { kind: 'session', date_range: 'custom', columns: ['start'], ...whole, per_page: 100, sort: 'start' } as never,
    editor,
  )
  const moments = [20, 26, 211, 500].map((n) =>
    new Date(first_day.getTime() + (n * 22 + 0.4) * 3_600_000).toISOString(),
  )
  const { bytes } = await foyer.file(guests.data, { id: place.guest_ids[2], format: 'json' } as never, editor)
  return {
    whole: await ask(whole),
    second: await ask({ ...whole, per_page: 100, sort: 'start', cursor: first.meta.next_cursor }),
    edge: await ask({ start_date: day(110), end_date: day(50), sort: '-usage_gb' }),
    midnight: await ask({ start_date: day(400), end_date: day(398) }),
    unique: await ask({ ...whole, view_as: 'unique' }),
    by_method: await ask({ ...whole, auth_method_ids: [2] }),
    oldest: await foyer.get(sessions.get, { id: await oldestSession() }, editor),
    addresses: await Promise.all(
      moments.flatMap((at) =>
        ['10.0.0.20', '10.0.1.11', '2001:db8::5'].map((ip_address) =>
          foyer.get(sessions.whoseAddress, { ip_address, at }, editor),
        ),
      ),
    ),
    stay: await foyer.services.tenancy.enter(callerOfJob(place.customer_id, 'test'), 'read', (scope) =>
      usedInStay(scope, stay_id),
    ),
    known: await foyer.get(guests.known, { ids: place.guest_ids.slice(2, 4) }, editor),
    guest: JSON.parse(bytes.toString('utf8')) as { sessions: unknown[] },
  }
}

test('reports, who had an address and the data of a guest are the same', async () => {
  const stay_id = await stayOf(place.guest_ids[4])
  const before = await answers(stay_id)
  expect(before.stay?.sessions).toBeGreaterThan(20)
  expect(before.whole.meta).toMatchObject({ total: before.whole.meta.totals.sessions })
  expect(before.by_method.data.length).toBeGreaterThan(10)
  expect(before.addresses.flatMap(({ data }) => data).length).toBeGreaterThan(2)
  expect(before.guest.sessions.length).toBeGreaterThan(20)
  await pack()
  expect(await answers(stay_id)).toEqual(before)
})

/** Of all pages of a report, one after the other. */
async function rowsOfPages(asked: object) {
  const day = (ago: number) => localDay(Date.now() - ago * day_ms, 'Europe/London')
  const days = { date_range: 'custom', start_date: day(500), end_date: day(0) }
  const rows: unknown[] = []
  let cursor: string | null = null
  do {
    const { data, meta }: { data: unknown[]; meta: { next_cursor: string | null } } = await foyer.get(
      reports.run,
      { kind: 'session', ...days, per_page: 25, ...asked, ...(cursor !== null && { cursor }) } as never,
      editor,
    )
    rows.push(...data)
    cursor = meta.next_cursor
  } while (cursor !== null)
  return rows
}

test('page after page has each session once, from the newest and from the oldest on', async () => {
  // Two at the same moment, where a page may end.
  await admin.query(`update radius_sessions set started_at = date_trunc('week', started_at) where property_id = $1`, [
    place.property_id,
  ])
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  await sessionsAt(property_id, gateway_id, [
    [499, 497, 497],
    [498.5, 150, 150],
    [400, 20, 20],
    [300, 299, 299],
    [3, 2, 2],
  ])
  const asked = [{ sort: 'start' }, { sort: '-start' }, { sort: 'start', property_ids: [property_id] }]
  const before: unknown[][] = []
  for (const one of asked) before.push(await rowsOfPages(one))
  expect(before[0]).toEqual(before[1]?.toReversed())
  expect(before.map((rows) => rows.length)).toEqual([before[0]?.length, before[0]?.length, 5])
  await pack()
  for (const [n, one] of asked.entries()) expect(await rowsOfPages(one)).toEqual(before[n])
})

test('lists say since when they have all that ended', async () => {
  const listed = () => foyer.get(sessions.list, { params: { property_id: place.property_id }, per_page: 100 }, editor)
  const since = async () => (await listed()).meta.listed_since
  expect(await since()).toBeUndefined()
  await pack()
  const day = (await since()) ?? ''
  const { data } = await listed()
  const ended = (await allSessions()).filter(
    ({ stopped_at }) => localDay(Date.parse(String(stopped_at)), 'Europe/London') >= day,
  )
  expect(ended.length).toBeGreaterThan(50)
  const ids = data.map(({ id }) => id)
  expect(ended.filter(({ id }) => !ids.includes(Number(id)))).toEqual([])
  // Not a month too late.
  expect(data.length - ended.length).toBeLessThan(3)
  // Once it is forgotten, nothing is left out of lists.
  await forgetGuests(foyer.services.tenancy, { sessions_kept_ms: day_ms, attempts_kept_ms: day_ms })
  expect(await since()).toBeUndefined()
})

test('nothing is packed while a node that does not look for it may be at work', async () => {
  const { rows } = await admin.query<{ version: string; serves_since: string }>('select * from releases')
  await admin.query(`update releases set serves_since = '0.1.0'`)
  await pack()
  expect(await count('packed_sessions')).toBe(0)
  for (const { version, serves_since } of rows)
    await admin.query('update releases set serves_since = $2 where version = $1', [version, serves_since])
  await pack()
  expect(await count('packed_sessions')).toBeGreaterThan(12)
})

test('nothing is packed between the look where a month is read from and the reading', async () => {
  const caller = callerOfJob(place.customer_id, 'test')
  const { length } = await allSessions()
  await foyer.services.tenancy.enter(caller, 'read', async (scope) => {
    const sessions = (await sessionsBetween(scope, ever)).of(['id', 'property_id'])
    await pack()
    const [read] = await scope.run(
      sql<{
        count: number
      }>`select count(*)::integer as count from ${sessions} as t where t.property_id = ${place.property_id}`,
    )
    expect(read?.count).toBe(length)
  })
  expect(await count('packed_sessions')).toBe(0)
  await pack()
  expect(await count('packed_sessions')).toBeGreaterThan(12)
})

test('nothing that counts for the last 52 days is packed, so nothing is asked of packs there', async () => {
  const { length } = await allSessions()
  const caller = callerOfJob(place.customer_id, 'test')
  const since = (days: number) => new Date(Date.now() - days * day_ms)
  const heldBy = (days: number) =>
    foyer.services.tenancy.enter(caller, 'read', async (scope) => {
      await sessionsBetween(scope, { ...ever, since: since(days) })
      const [held] = await scope.run(sql<{ locks: number }>`
        select count(*)::integer as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`)
      return held?.locks
    })
  expect([await heldBy(51.9), await heldBy(52.1)]).toEqual([0, 1])
  await pack()
  const { rows } = await admin.query<{ over_at: string }>(
    'select max(over_at) as over_at from packed_sessions where property_id = $1',
    [place.property_id],
  )
  expect(Date.parse(rows[0]?.over_at ?? '')).toBeLessThan(since(52).getTime())
  expect((await allSessions()).length).toBe(length)
})

test('readers who come one after the other do not keep it from being packed', async () => {
  const caller = callerOfJob(place.customer_id, 'test')
  const packed = new AbortController()
  const read = async () => {
    while (!packed.signal.aborted)
      await foyer.services.tenancy.enter(caller, 'read', async (scope) => {
        const all = (await sessionsBetween(scope, ever)).of(['id', 'property_id'])
        for (let n = 0; n < 3; n++)
          await scope.run(sql`select count(*) from ${all} as t where t.property_id = ${place.property_id}`)
      })
  }
  const readers = Promise.all([read(), read(), read()])
  await pack()
  packed.abort()
  await readers
  expect(await count('packed_sessions')).toBeGreaterThan(12)
})

test('a report that is written page by page has what is packed meanwhile', async () => {
  const caller = callerOfJob(place.customer_id, 'test')
  const opened = await foyer.services.tenancy.enter(caller, 'report', async (scope) => {
    const day = (ago: number) => localDay(Date.now() - ago * day_ms, 'Europe/London')
    const days = { date_range: 'custom', start_date: day(600), end_date: day(0) } as const
    const asked = await reportQueryOf(scope, { kind: 'session', columns: ['start'], ...days } as never)
    return openReport(scope, asked, async (work) => {
      await pack()
      return foyer.services.tenancy.enter(caller, 'report', work)
    })
  })
  const { rows, content } = { ...opened, ...opened.write('csv') }
  const lines = (await text(content)).trim().split('\r\n')
  expect(rows).toBe((await allSessions()).length)
  expect(lines.slice(1).length).toBe(rows)
})

test('what a voucher has used, and where, is known from them, too', async () => {
  const { id: package_id } = await foyer.package(editor)
  const { voucher_id } = await usedVoucher(package_id)
  const asked = () =>
    foyer.services.tenancy.enter(callerOfJob(place.customer_id, 'test'), 'read', (scope) =>
      usedBy(scope, { kind: 'voucher', id: voucher_id }),
    )
  const before = await asked()
  expect(before?.sessions).toBe(20)
  await pack()
  expect(await asked()).toEqual(before)
})

/** Of 20 sessions, the last of which ended before the present months. */
async function usedVoucher(package_id: number) {
  const { id: voucher_batch_id } = await foyer.voucherBatch(editor, {
    property_id: place.property_id,
    package_id,
    quantity: 1,
  })
  const { rows } = await admin.query<{ id: number }>(
    `update vouchers set redeemed_at = $2 where voucher_batch_id = $1 returning id::float8`,
    [voucher_batch_id, new Date(first_day.getTime() + 100 * day_ms)],
  )
  const voucher_id = rows[0]?.id ?? 0
  await admin.query(
    `update radius_sessions set voucher_id = $2, guest_id = null
     where id in (select id from radius_sessions where property_id = $1 and started_at > $3 order by started_at limit 20)`,
    [place.property_id, voucher_id, new Date(first_day.getTime() + 100 * day_ms)],
  )
  return { voucher_id }
}

test('a device that was last there in a packed month is known there, and nowhere else', async () => {
  const [, , guest_id] = place.guest_ids
  const mac_address = '02:00:00:00:00:02'
  await admin.query(
    "delete from radius_sessions where property_id = $1 and stopped_at > now() - $2 * interval '1 ms'",
    [place.property_id, hot_ms + 40 * day_ms],
  )
  // Who confirmed an address has proved something.
  await admin.query('update guests set confirmed_at = now() where id = $1', [guest_id])
  await admin.query('insert into guest_devices (customer_id, guest_id, mac_address) values ($1, $2, $3)', [
    place.customer_id,
    guest_id,
    mac_address,
  ])
  await admin.query('update guests set confirmed_at = now() where id = $1', [guest_id])
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  const isKnown = (at = place, mac = mac_address) =>
    foyer.services.tenancy.enter(callerOfJob(place.customer_id, 'test'), 'read', async (scope) => {
      const found = await placeOf(scope, at.property_id, { gateway_id: at.gateway_id, mac_address: mac })
      return found?.known
    })
  expect(await isKnown()).toBe(true)
  await pack()
  expect(await isKnown()).toBe(true)
  expect(await isKnown({ ...place, property_id, gateway_id })).toBe(false)
  expect(await isKnown(place, '02:00:00:00:00:fe')).toBe(false)
})

test('who turns out to be a guest who is known takes their packed sessions along', async () => {
  const [, , known = 0, , claimed = 0] = place.guest_ids
  await admin.query(
    `update guests set first_seen_at = $2, confirmed_at = case when id = $3 then now() end, email = 'one@example.com', auth_method_id = 1,
       waiting_mac_address = case when id = $4 then '02:00:00:00:00:03'::macaddr end where id in ($3, $4) and customer_id = $1`,
    [place.customer_id, first_day, known, claimed],
  )
  const { rows } = await admin.query<{ id: number }>(
    `insert into one_time_codes (customer_id, property_id, guest_id, channel, address, code_hash, expires_at)
     values ($1, $2, $3, 'email', 'one@example.com', '', now() + interval '1 hour') returning id::float8`,
    [place.customer_id, place.property_id, claimed],
  )
  const of = (sessions: Record<string, unknown>[], ids: number[]) =>
    sessions.filter(({ guest_id }) => ids.includes(Number(guest_id))).length
  const before = of(await allSessions(), [known, claimed])
  await pack()
  await foyer.services.tenancy.enter(callerOfJob(place.customer_id, 'test'), 'write', (scope) =>
    confirm(scope, { guest_id: claimed, code_id: rows[0]?.id ?? 0 }),
  )
  expect(of(await allSessions(), [known])).toBe(before)
})

test('nothing is packed beside an erasure, nor before its hours are counted', async () => {
  await foyer.services.tenancy.enter(callerOfJob(place.customer_id, 'test'), 'write', async (scope) => {
    await scope.run(sql`select erase_guests(${place.guest_ids.slice(2, 4)}::bigint[])`)
    await pack()
  })
  expect(await count('packed_sessions')).toBe(0)
  const counted_until = new Date(first_day.getTime() + 45.5 * day_ms)
  await admin.query('insert into hour_ledgers (customer_id, counted_until) values ($1, $2)', [
    place.customer_id,
    counted_until,
  ])
  await pack()
  const { rows } = await admin.query<{ over_at: number }>(
    'select extract(epoch from max(over_at))::float8 * 1000 as over_at from packed_sessions where property_id = $1',
    [place.property_id],
  )
  expect(rows[0]?.over_at).toBeLessThan(counted_until.getTime())
  expect(rows[0]?.over_at).toBeGreaterThan(counted_until.getTime() - 2 * day_ms)
})

test('who is erased is erased in them as in the others', async () => {
  const before_erasure = await allSessions()
  await pack()
  const [of_erased, of_others] = [true, false].map((theirs) =>
    before_erasure.find(
      ({ guest_id }) => guest_id !== null && place.guest_ids.slice(2, 4).includes(Number(guest_id)) === theirs,
    ),
  )
  const reasons = (ids: unknown[]) =>
    foyer.query('select after from activity where object_type = $1 and object_id = any($2) order by id', [
      'radius_sessions',
      ids,
    ])
  for (const one of [of_erased, of_others])
    await admin.query(
      `insert into activity (customer_id, action, object_type, object_id, after)
       values ($1, 'update', 'radius_sessions', $2, '{"disconnected": "Ada asked for it"}')`,
      [place.customer_id, one?.['id']],
    )
  const colleague = await foyer.customer()
  // Made since, so that nothing of it is packed.
  const twin = await placeWithSessions(colleague)
  await foyer.get(guests.erase, { ids: place.guest_ids.slice(2, 4) }, editor)
  await foyer.get(guests.erase, { ids: twin.guest_ids.slice(2, 4) }, colleague)
  const erased = await whatIsSaid(place)
  expect(erased.filter((row) => row['identifier'] === null).length).toBeGreaterThan(50)
  expect(erased).toEqual(await whatIsSaid(twin))
  expect(await reasons([of_erased?.['id'], of_others?.['id']])).toEqual([
    { after: {} },
    { after: { disconnected: 'Ada asked for it' } },
  ])
})

/** Without ids, and with one word for each address of nobody. */
async function whatIsSaid(of: typeof place): Promise<Record<string, unknown>[]> {
  const rows = await allSessions(of)
  const { rows: addresses } = await admin.query<{ id: number; address: string }>(
    `select f.id, f.address from (
       select radius_session_id as id, host(address) as address from session_addresses where property_id = $1
       union all
       select u.id, host(u.address) from packed_sessions k cross join lateral unnest(k.address_session_ids, k.addresses) as u(id, address)
         where k.property_id = $1) as f order by 1, 2`,
    [of.property_id],
  )
  const addressesOf = Map.groupBy(addresses, ({ id }) => id)
  return rows.map(({ id, customer_id: _c, property_id: _p, gateway_id: _g, guest_id, mac_address, ...row }) => ({
    ...row,
    guest: guest_id === null ? null : of.guest_ids.indexOf(Number(guest_id)),
    mac_address: String(mac_address).startsWith('02:00:00:00:00:') ? mac_address : 'of nobody',
    addresses: (addressesOf.get(Number(id)) ?? []).map(({ address }) => address),
  }))
}

test('they are forgotten after the same time, within a day', async () => {
  const kept_ms = 300 * day_ms
  const before = await allSessions()
  await pack()
  await forgetGuests(foyer.services.tenancy, { sessions_kept_ms: kept_ms, attempts_kept_ms: kept_ms })
  const edge = Date.now() - kept_ms
  const isLate = (session: Record<string, unknown>, at: number) =>
    new Date(String(session['stopped_at'])).getTime() >= at
  const after = await allSessions()
  expect(after).toEqual(before.filter((session) => isLate(session, edge)))
  const { rows } = await admin.query<{ lost: number }>(
    `select count(*)::integer as lost from packed_sessions k cross join lateral unnest(k.address_session_ids) as u(id)
     where k.property_id = $1 and u.id <> all (k.session_ids)`,
    [place.property_id],
  )
  expect(rows[0]?.lost).toBe(0)
  await forgetGuests(foyer.services.tenancy, { sessions_kept_ms: day_ms, attempts_kept_ms: kept_ms })
  expect(await count('packed_sessions')).toBe(0)
})

/** Sessions on days before now: when it began, ended and was last seen. */
async function sessionsAt(property_id: number, gateway_id: number, days: readonly [number, number, number][]) {
  await admin.query(
    `insert into radius_sessions (customer_id, property_id, gateway_id, session_key, acct_session_id, started_at, stopped_at, last_seen_at,
       created_at)
     select $1, $2, $3, 'odd ' || n, n, now() - u.began * interval '1 day', now() - u.ended * interval '1 day',
       now() - u.seen * interval '1 day', now() - u.began * interval '1 day'
     from unnest($4::float8[], $5::float8[], $6::float8[]) with ordinality as u(began, ended, seen, n)`,
    [place.customer_id, property_id, gateway_id, days.map((d) => d[0]), days.map((d) => d[1]), days.map((d) => d[2])],
  )
}

test('long sessions, and those of which more was heard after their end, are forgotten once and in one round', async () => {
  // More rows of packs than are looked at in a step, each with a session that stays though it began long before.
  for (let n = 0; n < 21; n++) {
    const { id: property_id } = await foyer.property(editor)
    const { id: gateway_id } = await foyer.gateway(editor, { property_id })
    await sessionsAt(property_id, gateway_id, [
      [330, 290, 290],
      [329, 328, 328],
    ])
  }
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  await sessionsAt(property_id, gateway_id, [[310, 303, 299]])
  await pack()
  const kept_ms = 300 * day_ms
  const forget = () => forgetGuests(foyer.services.tenancy, { sessions_kept_ms: kept_ms, attempts_kept_ms: kept_ms })
  const versions = async () => {
    const { rows } = await admin.query(
      `select id, xmin::text from packed_sessions where customer_id = $1 order by id`,
      [place.customer_id],
    )
    return rows
  }
  await forget()
  const { rows } = await admin.query<{ left: number }>(
    `select sum(cardinality(session_ids))::integer as left from packed_sessions where customer_id = $1 and property_id <> $2`,
    [place.customer_id, place.property_id],
  )
  expect(rows[0]?.left).toBe(21)
  const once = await versions()
  await forget()
  expect(await versions()).toEqual(once)
})

test('one that was over for some hours stays for a day behind one that began before and stays', async () => {
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  const { rows: middle } = await admin.query<{ ago: number }>(
    `select extract(epoch from now() - date_trunc('month', now() - interval '300 days', 'UTC'))::float8 / 86400 - 14 as ago`,
  )
  const ago = middle[0]?.ago ?? 0
  // All of them end in one month.
  await sessionsAt(property_id, gateway_id, [
    [ago + 0.6, ago + 0.5, ago + 0.5],
    [ago + 0.4, ago - 5, ago - 5],
    [ago + 0.3, ago + 0.2, ago + 0.2],
    [ago - 0.1, ago - 6, ago - 6],
  ])
  await pack()
  const left = async () => {
    const { rows } = await admin.query<{ names: string[] }>(
      `select array(select unnest(k.acct_session_ids)) as names from packed_sessions k where k.property_id = $1 order by k.began_at`,
      [property_id],
    )
    return rows.flatMap(({ names }) => names)
  }
  const forget = (kept_ms: number) =>
    forgetGuests(foyer.services.tenancy, { sessions_kept_ms: kept_ms, attempts_kept_ms: kept_ms })
  await forget((ago - 0.6) * day_ms)
  expect(await left()).toEqual(['2', '3', '4'])
  await forget((ago - 1.3) * day_ms)
  expect(await left()).toEqual(['2', '4'])
})

test('a session that ends before it begins holds nothing up', async () => {
  const { id: property_id } = await foyer.property(editor)
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  await sessionsAt(property_id, gateway_id, [[580, 640, 580]])
  await pack()
  const { rows } = await admin.query<{ packed: number }>(
    'select count(*)::integer as packed from packed_sessions where customer_id = $1',
    [place.customer_id],
  )
  expect(rows[0]?.packed).toBeGreaterThan(12)
})

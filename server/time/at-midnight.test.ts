// At midnight: everything that depends on the day is right half an hour before and after midnight, in zones far from UTC and on the
// nights of clock changes: the sessions of today, allowances and stays.
import { addDays } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as dashboard from '#contract/dashboard.ts'
import { factsOf } from '#server/admission/holders.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { startedToday } from '#server/sessions/today.ts'
import { setClock } from '#server/time/clock.ts'
import { dayBegins } from '#server/time/zones.ts'
import { voucherById } from '#server/vouchers/find.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

const half_an_hour = 30 * 60_000

/** An ordinary night, then those before and after both changes of the clock; for a zone without changes, the turn of the year. */
const nights: Record<string, string[]> = {
  'America/Los_Angeles': ['2026-07-15', '2026-03-08', '2026-03-09', '2026-11-01', '2026-11-02'],
  'Pacific/Auckland': ['2026-07-15', '2026-04-05', '2026-04-06', '2026-09-27', '2026-09-28'],
  'Pacific/Kiritimati': ['2026-07-15', '2026-01-01', '2027-01-01'],
  'Africa/Cairo': ['2026-04-24', '2026-04-25'],
  'America/Havana': ['2026-03-08', '2026-11-01'],
}
const cases = Object.entries(nights).flatMap(([zone, days]) => days.map((day): [string, string] => [zone, day]))

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterEach(async () => {
  setClock()
  // So that the next dashboard shows only its own properties, and no day of those that are removed.
  await admin.query('update properties set deleted_at = now()')
  await admin.query('delete from session_days')
  await admin.query('delete from radius_sessions')
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const book = (property_id: number, day: string, sessions: number) =>
  admin.query(
    `insert into session_days (customer_id, property_id, day, sessions) select customer_id, id, $2, $3 from properties where id = $1`,
    [property_id, day, sessions],
  )

async function figures() {
  const { data } = await foyer.get(dashboard.get, {}, editor)
  const [last, before] = [data.days.at(-1), data.days.at(-2)]
  return { today: [last?.day, last?.sessions], yesterday: [before?.day, before?.sessions] }
}

/** Inserts sessions that begin at an instant. */
async function beginSessions(property_id: number, instant: number, sessions: number) {
  const gateway = await foyer.gateway(editor, { property_id })
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at,
       created_at)
     select customer_id, $2::integer, id, $2::integer || '-' || n, n::text, $3::timestamptz, $3::timestamptz, $3::timestamptz
     from properties, generate_series(1, $4) as n where id = $1`,
    [property_id, gateway.id, new Date(instant), sessions],
  )
}
/** From the sums, and as in the list behind the number. */
const sessionsToday = async () => ({
  on_the_dashboard: (await foyer.get(dashboard.get, {}, editor)).data.sessions_today,
  in_the_list: await foyer.services.tenancy.enter(
    callerOfJob(editor.user.customer.id, 'test'),
    'read',
    async (scope) =>
      (
        await scope.run(
          sql`select from radius_sessions as t where ${startedToday} and t.customer_id = ${scope.customer_id}`,
        )
      ).length,
  ),
})

describe.each(cases)('in %s, around the beginning of %s', (time_zone, day) => {
  const begins = dayBegins(day, time_zone)
  const [before, after] = [begins - half_an_hour, begins + half_an_hour]
  const [day_before, yesterday] = [addDays(day, -2), addDays(day, -1)]

  test('the dashboard uses the property’s own today', async () => {
    const property = await foyer.property(editor, { time_zone })
    for (const [at, sessions] of [
      [day_before, 3],
      [yesterday, 5],
      [day, 7],
    ] as const)
      await book(property.id, at, sessions)
    await beginSessions(property.id, begins - 2 * half_an_hour, 2)
    setClock(before)
    expect(await figures()).toEqual({ today: [yesterday, 5], yesterday: [day_before, 3] })
    expect(await sessionsToday()).toEqual({ on_the_dashboard: 5, in_the_list: 2 })
    setClock(after)
    await beginSessions(property.id, begins + half_an_hour / 2, 1)
    expect(await figures()).toEqual({ today: [day, 7], yesterday: [yesterday, 5] })
    expect(await sessionsToday()).toEqual({ on_the_dashboard: 7, in_the_list: 1 })
  })

  test('the days of the activity log are the customer’s', async () => {
    const { id } = editor.user.customer
    await admin.query('update customers set time_zone = $2 where id = $1', [id, time_zone])
    await admin.query('delete from activity where object_name = any($1)', [['before midnight', 'after midnight']])
    const log = (name: string, instant: number) =>
      admin.query(
        `insert into activity (customer_id, principal_kind, action, object_name, created_at) values ($1, 'job', 'looked_up', $2, $3)`,
        [id, name, new Date(instant)],
      )
    await log('before midnight', begins - half_an_hour / 2)
    await log('after midnight', begins + half_an_hour / 2)
    const names = async (filters: object) =>
      (await foyer.get(activity.list, { filters: { action: ['looked_up'], ...filters } }, editor)).data.map(
        ({ object_name }) => object_name,
      )
    setClock(after)
    expect(await names({ days: '1' })).toEqual(['after midnight'])
    expect(await names({ days: '7' })).toEqual(['after midnight', 'before midnight'])
    expect(await names({ from: day })).toEqual(['after midnight'])
    expect(await names({ from: yesterday, to: yesterday })).toEqual(['before midnight'])
  })

  test('yesterday’s use no longer counts, and today’s does', async () => {
    const property = await foyer.property(editor, { time_zone })
    const wifi = await foyer.package(editor, { recurs: 'daily', volume_gb: 10 })
    const account = await foyer.account(editor, { property_id: property.id, package_id: wifi.id })
    await admin.query(
      `insert into usage_periods (customer_id, account_id, starts_at, bytes_used)
       select $1, $2, day_begins(d.day, $3), d.bytes from (values ($4::date, 1), ($5::date, 20), ($6::date, 300)) as d(day, bytes)`,
      [editor.user.customer.id, account.id, time_zone, day_before, yesterday, day],
    )
    const used = () =>
      foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'read', async (scope) => {
        const sought = { holder: { kind: 'account', id: account.id }, mac_address: null, package_id: null } as const
        return (await factsOf(scope, property.id, sought))?.bytes_used
      })
    setClock(before)
    expect(await used()).toBe(320)
    setClock(after)
    expect(await used()).toBe(300)
  })

  test('a code of a group is renewed by the days of the property where its holder is', async () => {
    await admin.query(`update customers set time_zone = 'Europe/London' where id = $1`, [editor.user.customer.id])
    const group = await foyer.group(editor)
    const property = await foyer.property(editor, { time_zone, group_id: group.id })
    const wifi = await foyer.package(editor, { recurs: 'daily', volume_gb: 10 })
    const batch = await foyer.voucherBatch(editor, { group_id: group.id, property_id: null, package_id: wifi.id })
    const { rows } = await admin.query<{ id: string }>(
      `with voucher as (select id, customer_id from vouchers where voucher_batch_id = $1 limit 1),
        used as (insert into usage_periods (customer_id, voucher_id, starts_at, bytes_used)
          select v.customer_id, v.id, day_begins(d.day, $2), d.bytes from voucher as v,
            (values ($3::date, 1), ($4::date, 20), ($5::date, 300)) as d(day, bytes))
       select id from voucher`,
      [batch.id, time_zone, day_before, yesterday, day],
    )
    const id = Number(rows[0]?.id)
    const used = (property_id: number | null) =>
      foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'read', async (scope) =>
        Number((await voucherById(scope, id, property_id))?.bytes_used),
      )
    setClock(before)
    expect(await used(property.id)).toBe(320)
    setClock(after)
    expect(await used(property.id)).toBe(300)
    // The desk looks it up from anywhere: it is where it was online last.
    await admin.query(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, voucher_id, started_at,
         last_seen_at)
       select p.customer_id, $1, p.id, 'key', 'key', $2, now(), now() from properties as p where p.id = $3`,
      [(await foyer.gateway(editor, { property_id: property.id })).id, id, property.id],
    )
    expect(await used(null)).toBe(300)
  })

  test('a guest who departs on a day keeps access until the end of that day', async () => {
    const property = await foyer.property(editor, { time_zone })
    const { id: room_id } = await foyer.room(editor, { property_id: property.id })
    const guest = await foyer.roomGuest(editor, { room_id, departs_on: yesterday })
    const { rows } = await admin.query<{ id: number }>(
      `insert into guests (customer_id, property_id, auth_method_id, room_guest_id, name)
       select customer_id, $2, 4, id, name from room_guests where id = $1 returning id`,
      [guest.id, property.id],
    )
    const over = () =>
      foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'read', async (scope) => {
        const sought = {
          holder: { kind: 'guest', id: Number(rows[0]?.id) },
          mac_address: null,
          package_id: null,
        } as const
        const facts = await factsOf(scope, property.id, sought)
        return Date.parse(facts?.ends_at ?? '') <= Date.parse(facts?.now ?? '')
      })
    setClock(before)
    expect(await over()).toBe(false)
    setClock(after)
    expect(await over()).toBe(true)
  })
})

test('in a sum over properties, the last bar is each property’s own today', async () => {
  const [west, east] = [
    await foyer.property(editor, { time_zone: 'America/Los_Angeles' }),
    await foyer.property(editor, { time_zone: 'Pacific/Kiritimati' }),
  ]
  await book(west.id, '2026-11-23', 100)
  await book(west.id, '2026-11-24', 7)
  await book(east.id, '2026-11-25', 20)
  await book(east.id, '2026-11-24', 3000)
  // In the evening of the 24th in Los Angeles it is the 25th in Kiritimati.
  setClock(Date.parse('2026-11-25T06:15:00Z'))
  expect(await figures()).toEqual({ today: ['2026-11-25', 27], yesterday: ['2026-11-24', 3100] })
})

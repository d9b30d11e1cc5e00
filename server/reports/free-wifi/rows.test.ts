// Hours of free Wi-Fi: peaks and the week by hour count those whom the rows count, and each hour over the times that a property's own
// clock has shown it.
import { addDays } from '#contract/days.ts'
import { parse } from 'csv-parse/sync'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as contract from '#contract/reports.ts'
import { connect } from '#server/db/logins.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import { setClock } from '#server/time/clock.ts'
import { dayBegins } from '#server/time/zones.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

const hour_ms = 3_600_000
const [click_through, voucher, email] = [1, 2, 5]

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterEach(() => setClock())
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

interface Stay {
  begins: number
  ends: number | null
  method: number | null
}
async function houseIn(editor: Person, time_zone: string) {
  const { id: property_id } = await foyer.property(editor, { time_zone })
  const gateway = await foyer.gateway(editor, { property_id })
  let serial = 0
  const add = (stays: readonly Stay[]) =>
    admin.query(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at,
         stopped_at, created_at, auth_method_id)
       select p.customer_id, $2::integer, p.id, $2::integer || '-' || (d.n + $4), d.n::text, d.begins, coalesce(d.ends, d.begins),
         d.ends, d.begins, d.method
       from properties p, jsonb_to_recordset($3::jsonb) as d(n integer, begins timestamptz, ends timestamptz, method integer)
       where p.id = $1`,
      [
        property_id,
        gateway.id,
        JSON.stringify(
          stays.map(({ begins, ends, method }) => ({
            n: ++serial,
            begins: new Date(begins),
            ends: ends === null ? null : new Date(ends),
            method,
          })),
        ),
        0,
      ],
    )
  return { property_id, add }
}
const freeWifi = (editor: Person, asked: Partial<Input<typeof contract.run>>) =>
  foyer.get(contract.run, { kind: 'free_wifi', ...asked }, editor)
type Answer = Awaited<ReturnType<typeof freeWifi>>
const pointsOf = ({ meta }: Answer, series: string) =>
  Object.fromEntries((meta.series?.find(({ key }) => key === series)?.points ?? []).map(({ at, value }) => [at, value]))
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

test('narrowed by a group it is of the properties that are in it now, sessions and guests alike', async () => {
  const editor = await foyer.customer()
  const [former, present] = [(await foyer.group(editor)).id, (await foyer.group(editor)).id]
  const { id } = await foyer.property(editor, { group_id: former })
  const day = `local_day(now(), time_zone) - 1`
  await admin.query(
    `insert into session_days (customer_id, property_id, group_id, auth_method_id, day, sessions)
     select customer_id, id, group_id, ${click_through}, ${day}, 2 from properties where id = $1`,
    [id],
  )
  await admin.query(
    `insert into guest_days (customer_id, property_id, auth_method_id, day, guest, first_seen)
     select customer_id, id, ${click_through}, ${day}, '\\x01', true from properties where id = $1`,
    [id],
  )
  await foyer.get(properties.update, { id, group_id: present }, editor)
  const rowsOf = async (group_id: number) =>
    (await freeWifi(editor, { date_range: 'last_7_days', group_ids: [group_id] })).data
  expect(await rowsOf(former)).toEqual([])
  expect(await rowsOf(present)).toMatchObject([{ sessions: 2, unique_guests: 1 }])
})

test('in the morning each hour so far is that of the property’s own today, wherever the others are', async () => {
  const editor = await foyer.customer()
  const [auckland, honolulu] = [await houseIn(editor, 'Pacific/Auckland'), await houseIn(editor, 'Pacific/Honolulu')]
  const day = '2026-11-25'
  const begins = dayBegins(day, 'Pacific/Auckland')
  await auckland.add(times(40, { begins: begins - hour_ms, ends: null, method: click_through }))
  // There it is nine in the morning of the day before.
  await honolulu.add(times(3, { begins: begins - 2 * hour_ms, ends: null, method: email }))
  for (let hour = 0; hour <= 8; hour++) {
    setClock(begins + hour * hour_ms + 1000)
    await countHours(foyer.services.tenancy)
  }
  const own = await freeWifi(editor, { date_range: 'today', property_ids: [auckland.property_id] })
  const hours = pointsOf(own, 'hours')
  expect(['00', '07', '08', '09', '23'].map((at) => hours[at])).toEqual([40, 40, 40, 0, 0])
  // A Wednesday there, and a Tuesday in Honolulu.
  const both = await freeWifi(editor, { date_range: 'today' })
  const week = pointsOf(both, 'week_hours')
  expect(['3-00', '3-08', '3-09', '2-00', '2-08', '2-09', '2-12'].map((at) => week[at])).toEqual([
    40, 40, 0, 3, 3, 3, 0,
  ])
})

test('a mean is over the times that the clock has shown the hour, also in nights of clock changes', async () => {
  const editor = await foyer.customer()
  const house = await houseIn(editor, 'Europe/London')
  // The hour from one to two comes twice on the 25th.
  const first = dayBegins('2026-10-24', 'Europe/London')
  await house.add(times(6, { begins: first - hour_ms, ends: null, method: click_through }))
  for (let hour = 0; hour <= 49; hour++) {
    setClock(first + hour * hour_ms + 1000)
    await countHours(foyer.services.tenancy)
  }
  const range = { date_range: 'custom', start_date: '2026-10-24', end_date: '2026-10-25' } as const
  const hours = pointsOf(await freeWifi(editor, range), 'hours')
  expect(new Set(Object.values(hours))).toEqual(new Set([6]))
})

test('of days whose hours are not kept any more it is not known how many were online, and it says since when they are', async () => {
  const editor = await foyer.customer()
  const { property_id } = await houseIn(editor, 'Asia/Kathmandu')
  setClock(dayBegins('2026-11-24', 'Asia/Kathmandu'))
  const former = '2025-06-15'
  // 400 days ago the 20th had begun somewhere.
  const since = '2025-10-21'
  await admin.query(
    `insert into session_days (customer_id, property_id, day, auth_method_id, sessions)
     select customer_id, id, unnest($2::date[]), $3, 1 from properties where id = $1`,
    [property_id, [former, since], click_through],
  )
  await admin.query(
    `insert into property_hours (customer_id, property_id, hour, online, online_by_methods, tries, refused)
     select customer_id, id, $2, 7, '{"1": 7}', 0, 0 from properties where id = $1`,
    [property_id, new Date(dayBegins(since, 'Asia/Kathmandu') + hour_ms)],
  )
  const custom = (start_date: string, end_date: string) =>
    freeWifi(editor, { date_range: 'custom', start_date, end_date, sort: 'day' })
  const both = await custom(former, since)
  expect(both.data).toMatchObject([
    { day: former, peak_online: null },
    { day: since, peak_online: 7 },
  ])
  expect(both.meta.hours_since).toBe(since)
  // Of the hours of one day.
  expect(Math.max(...Object.values(pointsOf(both, 'hours')))).toBe(7)
  const before = await custom(former, addDays(former, 30))
  expect([before.meta.hours_since, pointsOf(before, 'hours'), pointsOf(before, 'week_hours')]).toEqual([since, {}, {}])
  expect((await custom(since, since)).meta.hours_since).toBeNull()
  const file = { kind: 'free_wifi', date_range: 'custom', start_date: former, end_date: since, format: 'csv' } as const
  const { bytes } = await foyer.file(contract.exportFile, file, editor)
  const rows: Record<string, string>[] = parse(bytes, { bom: true, columns: true })
  expect(rows.map((row) => row['Most online at once'])).toEqual(['7', ''])
})

test('peaks and hours count those who signed in by the methods asked for, and all of them at the same moment', async () => {
  const editor = await foyer.customer()
  const house = await houseIn(editor, 'Asia/Kathmandu')
  const day = '2026-11-24'
  const begins = dayBegins(day, 'Asia/Kathmandu')
  const random = lcg(43)
  const stays = Array.from({ length: 60 }, (): Stay => {
    const start = begins + Math.floor(random() * 5 * hour_ms)
    return {
      begins: start,
      ends: random() < 0.2 ? null : start + Math.floor(random() * 2 * hour_ms),
      method: [click_through, voucher, email, null][Math.floor(random() * 4)] ?? null,
    }
  })
  await house.add(stays)
  for (let hour = 0; hour <= 7; hour++) {
    setClock(begins + hour * hour_ms)
    await countHours(foyer.services.tenancy)
  }
  // So that the day has a row for each set of methods.
  await admin.query(
    `insert into session_days (customer_id, property_id, day, auth_method_id, sessions)
     select customer_id, id, $2, unnest($3::integer[]), 1 from properties where id = $1`,
    [house.property_id, day, [click_through, voucher, email]],
  )
  for (const methods of [[], [click_through], [voucher], [email], [voucher, email], [click_through, voucher, email]]) {
    const counted = methods.length === 0 ? [click_through, email] : methods
    const there = stays.filter(({ method }) => counted.includes(method ?? 0))
    const peak = Math.max(
      ...there.map(({ begins: at }) => there.filter((one) => one.begins <= at && (one.ends ?? Infinity) > at).length),
    )
    const range = { date_range: 'custom', start_date: day, end_date: day } as const
    const answer = await freeWifi(editor, { ...range, auth_method_ids: methods })
    expect(answer.data, methods.join()).toMatchObject([{ day, peak_online: peak }])
    expect(Math.max(...Object.values(pointsOf(answer, 'week_hours'))), methods.join()).toBe(peak)
  }
})

/** The same numbers each time. */
function lcg(seed: number) {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

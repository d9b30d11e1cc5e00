// Whole days: over a fortnight with both changes of the clock, what is used on each local day of properties in five zones is in one
// daily, one weekly and one monthly file. A file waits for what is missing, says so, and is sent once more when it has come.
import { addDays } from '#contract/days.ts'
import { parse } from 'csv-parse/sync'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as properties from '#contract/properties.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { startDueReports } from '#server/reports/due-reports.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import type { Reported } from '#server/sessions/record.ts'
import { setClock } from '#server/time/clock.ts'
import { dayBegins, instantOf, localDay } from '#server/time/zones.ts'
import { tryDue } from '#test/due.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { writeNights } from '#test/nights.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'

const hour_ms = 3_600_000
const [daily, weekly, monthly] = [2, 3, 5]

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  // Without the role of jobs: only this test runs them, by a clock of its own.
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  admin = await connect(foyer.database.adminUrl)
})
afterEach(() => setClock())
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

/** A property with a gateway that reports one session, whose end it never reports. */
async function houseIn(editor: Person, zone: string) {
  const { id: property_id, name } = await foyer.property(editor, { time_zone: zone })
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  const caller = callerOfGateway({ customer_id: editor.user.customer.id, id: gateway_id, property_id, name: 'gateway' })
  const mac_address = aMacAddress()
  let began: number | undefined
  let bytes_down = 0
  return {
    property_id,
    name,
    zone,
    async report(at: number, bytes: number) {
      const kind = began === undefined ? 'start' : 'interim'
      began ??= at
      bytes_down += bytes
      const record: Reported['record'] = {
        kind,
        session_key: mac_address,
        acct_session_id: mac_address,
        authorisation_id: null,
        username: 'guest',
        mac_address,
        calling_station: null,
        box_session: null,
        ip: null,
        ipv6: [],
        box: 'box',
        at,
        stamped_at: at,
        received_at: at,
        held_ms: 0,
        seconds: (at - began) / 1000,
        bytes_up: 0,
        bytes_down,
        up_is_whole: true,
        down_is_whole: true,
        cause: 'Idle-Timeout',
      }
      await foyer.services.tenancy.enter(caller, 'write', (scope) =>
        storeReports(scope, { property_id, time_zone: zone }, [{ gateway_id, record }]),
      )
      // Rows have the time of the database, which is not set.
      await admin.query('update radius_sessions set created_at = started_at where gateway_id = $1', [gateway_id])
      await this.heardAt(at)
    },
    heardAt: (at: number) =>
      admin.query('update gateways set last_seen_at = $2 where id = $1', [gateway_id, new Date(at)]),
  }
}

const aSchedule = async (editor: Person, values: Partial<Input<typeof scheduled.create>>) =>
  (
    await foyer.get(
      scheduled.create,
      { name: 'Usage', frequency: daily, format: 'csv', columns: ['property', 'usage_gb', 'duration'], ...values },
      editor,
    )
  ).data

/** Gives up sessions that are not reported any more, begins what is due at this instant, and makes it. */
async function sweepAt(at: number) {
  setClock(at)
  const { services } = foyer
  await endSessions(services.tenancy, services.queue)
  await startDueReports(services)
  const { rows } = await admin.query<{ customer_id: number; run_id: number }>(
    `select customer_id, id as run_id from report_runs where outcome = 'queued' order by id`,
  )
  const needs = { ...services, config: { report_files_kept_ms: 400 * 24 * hour_ms } }
  for (const { customer_id, run_id } of rows) await tryDue(reportFileWork, needs, { customer_id, about_id: run_id })
}
const runsOf = async (report_id: number, editor: Person) =>
  (await foyer.get(runs.listRuns, { params: { report_id } }, editor)).data.toReversed()

/** What a file says of each property, in gigabytes. */
async function usageIn(run_id: number, editor: Person): Promise<Map<string, number>> {
  const { bytes } = await foyer.file(runs.downloadRun, { id: run_id }, editor)
  const rows: { Property: string; 'Usage (GB)': string }[] = parse(bytes, { bom: true, columns: true })
  return new Map(
    [...Map.groupBy(rows, (row) => row.Property)].map(([property, of]) => [
      property,
      of.reduce((sum, row) => sum + Number(row['Usage (GB)']), 0),
    ]),
  )
}

test('each part of a session, by its local day, is in one daily, one weekly and one monthly file', async () => {
  const zones = ['Pacific/Kiritimati', 'Pacific/Auckland', 'Europe/London', 'America/Los_Angeles', 'Pacific/Honolulu']
  // Clocks are put forward in London on the 29th of March, and back in Auckland on the 5th of April.
  const [first, last] = ['2026-03-27', '2026-04-09']
  const next = addDays(last, 1)
  const begins = dayBegins(first, 'Pacific/Kiritimati')
  setClock(begins)
  const editor = await foyer.customer()
  const houses: Awaited<ReturnType<typeof houseIn>>[] = []
  for (const zone of zones) houses.push(await houseIn(editor, zone))
  const schedules = {
    daily: await aSchedule(editor, { start_date: addDays(first, 1) }),
    weekly: await aSchedule(editor, { frequency: weekly, start_date: addDays(first, 7) }),
    monthly: await aSchedule(editor, { frequency: monthly, start_date: next }),
  }
  /** In gigabytes, by property and local day. */
  const used = new Map<string, number>()
  const until = dayBegins(next, 'Pacific/Honolulu') + 2 * hour_ms
  let hour = 0
  for (let at = begins + hour_ms / 2; at < until; at += 2 * hour_ms, hour++) {
    for (const [place, house] of houses.entries()) {
      // Different each time, so that one that is missing or counted twice changes a sum.
      const gb = 1 + place + (hour % 7)
      await house.report(at, gb * 1e9)
      const { rows } = await admin.query<{ day: string }>('select local_day($1, $2)::text as day', [
        new Date(at),
        house.zone,
      ])
      const key = `${house.name} ${rows[0]?.day}`
      used.set(key, (used.get(key) ?? 0) + gb)
    }
    await sweepAt(at + 1000)
  }
  const days = Array.from({ length: 14 }, (_, place) => addDays(first, place))
  const expectFiles = async (report_id: number, periods: string[][]) => {
    const made = await runsOf(report_id, editor)
    expect(made.map(({ period_start, period_end }) => [period_start, period_end])).toEqual(
      periods.map((period) => [period[0], period.at(-1)]),
    )
    for (const [place, run] of made.entries()) {
      expect(run).toMatchObject({ outcome: 'done', complete_to: run.period_end, missing: [] })
      const usage = await usageIn(run.id, editor)
      for (const { name } of houses) {
        const expected = (periods[place] ?? []).reduce((sum, day) => sum + (used.get(`${name} ${day}`) ?? 0), 0)
        expect([run.period_start, name, usage.get(name)]).toEqual([run.period_start, name, expected])
      }
    }
  }
  await expectFiles(
    schedules.daily.id,
    days.map((day) => [day]),
  )
  await expectFiles(schedules.weekly.id, [days.slice(0, 7), days.slice(7)])
  const month = Array.from({ length: 31 }, (_, place) => addDays('2026-03-10', place))
  await expectFiles(schedules.monthly.id, [month])
})

const promise = 'It will be sent once more when that has arrived.'
async function mailsOf(report_id: number) {
  const { rows } = await admin.query<Waiting & { subject: string }>(
    `select subject, ${waiting.outbox_mails} from outbox_mails where kind = 'report' and about_id = $1 order by id`,
    [report_id],
  )
  return opened('outbox_mails', rows)
}

test('a gateway that is not heard after midnight is waited for, named after twelve hours, and the file sent again once', async () => {
  const zone = 'America/Los_Angeles'
  const day = '2026-05-20'
  const over = dayBegins(addDays(day, 1), zone)
  setClock(over - 6 * hour_ms)
  const editor = await foyer.customer()
  const house = await houseIn(editor, zone)
  await house.report(over - 3 * hour_ms, 1e9)
  const { id } = await aSchedule(editor, { start_date: addDays(day, 1), recipients: [editor.user.email] })
  // Six in the morning in London is the evening before.
  await sweepAt(instantOf(addDays(day, 1), 6, 'Europe/London') + 1000)
  expect(await runsOf(id, editor)).toEqual([])
  await sweepAt(over + hour_ms)
  await sweepAt(over + 11 * hour_ms)
  expect(await runsOf(id, editor)).toEqual([])
  await sweepAt(over + 12.5 * hour_ms)
  const lacking = `${house.name}: its gateway was last heard on ${day}, with guests online.`
  const [incomplete, ...none] = await runsOf(id, editor)
  expect(none).toEqual([])
  expect(incomplete).toMatchObject({ period_end: day, complete_to: addDays(day, -1), missing: [lacking] })
  expect((await mailsOf(id)).map(({ text }) => text)).toEqual([expect.stringContaining(`${lacking}\n${promise}`)])

  await house.report(over + 13 * hour_ms, 1e9)
  await sweepAt(over + 14 * hour_ms)
  await sweepAt(over + 15 * hour_ms)
  const [, complete, ...more] = await runsOf(id, editor)
  expect(more).toEqual([])
  expect(complete).toMatchObject({ period_start: day, period_end: day, complete_to: day, missing: [] })
  const mails = await mailsOf(id)
  expect(mails.map(({ subject }) => subject.endsWith(', complete'))).toEqual([false, true])
  expect(mails[1]?.text).toContain(
    `It now includes what was missing when it was first made.\nIt is complete to ${day}.`,
  )
  // Nobody looks for it any more.
  await foyer.get(runs.sendRun, { id: incomplete?.id ?? 0 }, editor)
  const again = (await mailsOf(id)).at(-1)?.text
  expect(again).toContain(lacking)
  expect(again).not.toContain(promise)
  // The next day is in a file of its own.
  await house.report(over + 24 * hour_ms + 1000, 1e9)
  await sweepAt(over + 24.5 * hour_ms)
  expect((await runsOf(id, editor)).map(({ period_end }) => period_end)).toEqual([day, day, addDays(day, 1)])
})

test('a file that a person asks for is not promised again', async () => {
  const zone = 'America/Los_Angeles'
  const day = '2026-05-20'
  const over = dayBegins(addDays(day, 1), zone)
  setClock(over + hour_ms)
  const editor = await foyer.customer()
  const house = await houseIn(editor, zone)
  await house.report(over - 3 * hour_ms, 1e9)
  const { id } = await aSchedule(editor, { start_date: '2026-06-01', recipients: [editor.user.email] })
  await foyer.get(runs.runNow, { id }, editor)
  await sweepAt(over + hour_ms)
  const [mail, ...none] = await mailsOf(id)
  expect(none).toEqual([])
  expect(mail?.text).toContain(`${house.name}: its gateway was last heard on ${day}, with guests online.`)
  expect(mail?.text).not.toContain(promise)
})

test('a range that goes on names what is missing of the days that are over, and its file is sent again for these', async () => {
  const zone = 'America/Los_Angeles'
  const day = '2026-05-14'
  const over = dayBegins(addDays(day, 1), zone)
  setClock(over - 6 * hour_ms)
  const editor = await foyer.customer()
  const house = await houseIn(editor, zone)
  await house.report(over - 1.5 * hour_ms, 1e9)
  const values = { date_range: 'this_month' as const, start_date: addDays(day, 1), recipients: [editor.user.email] }
  const { id } = await aSchedule(editor, values)
  await sweepAt(over + 11 * hour_ms)
  expect(await runsOf(id, editor)).toEqual([])
  await sweepAt(over + 12.5 * hour_ms)
  const lacking = `${house.name}: its gateway was last heard on ${day}, with guests online.`
  const month = { period_start: '2026-05-01', period_end: '2026-05-31' }
  const incomplete = { ...month, complete_to: addDays(day, -1), missing: [lacking] }
  expect(await runsOf(id, editor)).toMatchObject([incomplete])
  const completeTo = async (date_range: 'this_month' | 'today') =>
    (await foyer.get(reports.run, { date_range }, editor)).meta.complete_to
  // Of today nothing is over, so that nothing of it is missing.
  expect([await completeTo('this_month'), await completeTo('today')]).toEqual([addDays(day, -1), day])

  // By now the day after is over, too; what is missing is that of the day before still.
  await sweepAt(over + 36.5 * hour_ms)
  const after = { ...month, complete_to: addDays(day, 1), missing: [] }
  expect(await runsOf(id, editor)).toMatchObject([incomplete, after])
  await house.report(over + 37 * hour_ms, 1e9)
  await sweepAt(over + 37.5 * hour_ms)
  await sweepAt(over + 38 * hour_ms)
  expect(await runsOf(id, editor)).toMatchObject([incomplete, after, { ...month, missing: [] }])
  const completing = (await mailsOf(id)).at(-1)
  expect(completing?.text).toContain('It now includes what was missing')
  // The month is not over.
  expect(completing?.subject).not.toContain('complete')
})

test('a statement of a month that goes on is complete to the last night that is written', async () => {
  const zone = 'Pacific/Honolulu'
  const written = '2026-05-13'
  const at = dayBegins(addDays(written, 8), zone) + hour_ms
  setClock(dayBegins(addDays(written, 1), zone) + hour_ms)
  const editor = await foyer.customer()
  const { name } = await foyer.property(editor, { time_zone: zone })
  await writeNights(foyer)
  setClock(at)
  const statement = { kind: 'billing', date_range: 'this_month', start_date: '2026-06-01' } as const
  const { id } = await aSchedule(editor, { ...statement, columns: ['property'] })
  await foyer.get(runs.runNow, { id }, editor)
  await sweepAt(at)
  const missing = [`${name}: its nights after ${written} are not recorded yet.`]
  expect(await runsOf(id, editor)).toMatchObject([{ period_end: '2026-05-31', complete_to: written, missing }])
})

test('a statement waits until its nights are written', async () => {
  const zone = 'Pacific/Honolulu'
  const day = '2026-05-20'
  const over = dayBegins(addDays(day, 1), zone)
  setClock(over - 6 * hour_ms)
  const editor = await foyer.customer()
  await foyer.property(editor, { time_zone: zone })
  await writeNights(foyer)
  const { id } = await aSchedule(editor, { kind: 'billing', start_date: addDays(day, 1), columns: ['property'] })
  await sweepAt(over + hour_ms)
  expect(await runsOf(id, editor)).toEqual([])
  await writeNights(foyer)
  await sweepAt(over + 1.5 * hour_ms)
  expect(await runsOf(id, editor)).toMatchObject([{ period_end: day, complete_to: day, missing: [] }])
})

test('the days of a report are those of the properties in it', async () => {
  const own = await foyer.customer()
  // 25 hours apart: it is never the same day at both.
  const west = await foyer.property(own, { time_zone: 'Pacific/Pago_Pago' })
  const east = await foyer.property(own, { time_zone: 'Pacific/Kiritimati' })
  const { id: east_group } = await foyer.group(own)
  const daysOf = async (asked: Partial<Input<typeof reports.run>>) =>
    (await foyer.get(reports.run, { date_range: 'yesterday', ...asked }, own)).meta.range
  const yesterday = (zone: string) => addDays(localDay(Date.now(), zone), -1)
  const [first, last] = [yesterday('Pacific/Pago_Pago'), yesterday('Pacific/Kiritimati')]
  expect(await daysOf({})).toEqual({ start_date: first, end_date: last })
  expect(await daysOf({ property_ids: [west.id] })).toEqual({ start_date: first, end_date: first })
  expect(await daysOf({ property_ids: [east.id] })).toEqual({ start_date: last, end_date: last })
  await foyer.get(properties.update, { id: east.id, group_id: east_group }, own)
  expect(await daysOf({ kind: 'free_wifi', group_ids: [east_group] })).toEqual({ start_date: last, end_date: last })
  expect(await daysOf({ group_ids: [east_group] })).toEqual({ start_date: last, end_date: last })
  // A session keeps the group that its property was in.
  const { id: former_group } = await foyer.group(own)
  await admin.query(
    `insert into session_days (customer_id, property_id, day, group_id, sessions) select customer_id, id, $2, $3, 1 from properties
     where id = $1`,
    [west.id, first, former_group],
  )
  expect(await daysOf({ group_ids: [former_group] })).toEqual({ start_date: first, end_date: first })
  // What was there before it was removed is in the report of all.
  await foyer.get(properties.remove, { id: east.id }, own)
  expect(await daysOf({})).toEqual({ start_date: first, end_date: last })
  expect(await daysOf({ property_ids: [west.id] })).toEqual({ start_date: first, end_date: first })
})

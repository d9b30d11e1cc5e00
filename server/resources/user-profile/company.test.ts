// The company's time zone: who reads and sets it, and that what is due moves with it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as company from '#contract/company.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const set = (time_zone: string, who = editor) => foyer.ask(company.update, { time_zone }, who)
const clockIn = (moment: string | null, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(moment ?? 0))

test('a new company is in the London zone until its editors change it; the database spells the name', async () => {
  expect((await foyer.get(company.get, {}, editor)).data).toEqual({
    name: editor.user.customer.name,
    time_zone: 'Europe/London',
    desk_contact: null,
  })
  expect((await set('asia/kathmandu')).body.data).toMatchObject({ time_zone: 'Asia/Kathmandu' })
  expect(await set('Atlantis/Capital')).toMatchObject({
    status: 422,
    body: { errors: { time_zone: ['Please choose a time zone'] } },
  })
  expect((await foyer.get(company.get, {}, editor)).data.time_zone).toBe('Asia/Kathmandu')
  const { data } = await foyer.get(activity.list, {}, editor)
  expect(data.find(({ object_type }) => object_type === 'customers')).toMatchObject({
    action: 'update',
    before: { time_zone: 'Europe/London' },
    after: { time_zone: 'Asia/Kathmandu' },
  })
})

test('a schedule is due at six by the new clock, on the day that it was due', async () => {
  await set('Pacific/Auckland')
  const { data } = await foyer.get(
    scheduled.create,
    { name: unique('Usage'), frequency: 2, start_date: '2026-01-01', recipients: ['reader@example.com'] },
    editor,
  )
  const next = async () => (await foyer.get(reports.get, { id: data.id }, editor)).data.next_run_at
  const before = await next()
  expect(clockIn(before, 'Pacific/Auckland')).toBe('06:00')
  await set('America/Los_Angeles')
  const after = await next()
  expect(clockIn(after, 'America/Los_Angeles')).toBe('06:00')
  // That day begins some nineteen hours later there.
  expect((Date.parse(after ?? '') - Date.parse(before ?? '')) / 3_600_000).toBeGreaterThan(18)
  expect((Date.parse(after ?? '') - Date.parse(before ?? '')) / 3_600_000).toBeLessThan(23)
})

test('another customer keeps its own', async () => {
  const other = await foyer.customer()
  await set('Asia/Tokyo')
  expect((await foyer.get(company.get, {}, other)).data.time_zone).toBe('Europe/London')
})

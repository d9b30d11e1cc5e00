// Reports: rows, totals, series and roll-ups agree with a plain sum over the parts of sessions, and guests with a plain count, at
// properties in five zones, for the customer and for a group.
import { addDays } from '#contract/days.ts'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint, Input, Output } from '#contract/endpoint.ts'
import * as collections from '#contract/collections.ts'
import * as devicesContract from '#contract/devices.ts'
import * as contract from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import type { Reported } from '#server/sessions/record.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import { localDay } from '#server/time/zones.ts'
import { invalid } from '#server/errors/refused.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

const zones = ['Pacific/Kiritimati', 'Asia/Kathmandu', 'Europe/London', 'America/St_Johns', 'Pacific/Pago_Pago']
const hour_ms = 3_600_000
const today = localDay(Date.now(), 'UTC')

let foyer: TestFoyer
let admin: Client
let editor: Person
let group_id: number
let collection_id: number
let properties: { id: number; name: string; zone: string }[]
let packages: number[]
let category_id: number

/** The same numbers each time. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** The record that a call returns. */
const saved = async <E extends Endpoint>(endpoint: E, body: Input<E>, who: Person) =>
  ((await foyer.get(endpoint, body, who)) as { data: Output<E> }).data

interface Device {
  mac_address: string
  identifier: string
  auth_method_id: number
  package_id: number
}

/** A session of a device over several days, reported in parts and out of order. */
async function streamOf(
  property: (typeof properties)[number],
  gateway_id: number,
  device: Device,
  roll: ReturnType<typeof dice>,
) {
  const { rows } = await admin.query<{ id: number }>(
    `insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, package_id, identifier, mac_address,
       accepted, reason) values ($1, $2, $3, $4, $5, $6, $7, true, 'accepted') returning id`,
    [
      editor.user.customer.id,
      gateway_id,
      property.id,
      device.auth_method_id,
      device.package_id,
      device.identifier,
      device.mac_address,
    ],
  )
  const authorisation_id = rows[0]?.id ?? null
  const began = Date.now() - (20 * 24 - roll(19 * 24)) * hour_ms - roll(hour_ms)
  const parts = 1 + roll(8)
  const isOver = roll(6) > 0
  const session = `${device.mac_address} ${began}`
  const reports = Array.from({ length: parts + 1 }, (_, part): Reported => {
    const seconds = part * (1800 + roll(6) * 3600)
    return {
      gateway_id,
      record: {
        kind: part === parts && isOver ? 'stop' : part === 0 ? 'start' : 'interim',
        session_key: session,
        acct_session_id: session,
        authorisation_id,
        username: device.identifier,
        mac_address: device.mac_address,
        calling_station: null,
        box_session: null,
        ip: null,
        ipv6: [],
        box: 'box',
        at: began + seconds * 1000,
        stamped_at: began + seconds * 1000,
        received_at: began + seconds * 1000,
        held_ms: 0,
        seconds,
        bytes_up: part * 1_234_567,
        bytes_down: part * 98_765_432,
        up_is_whole: true,
        down_is_whole: true,
        cause: 'Idle-Timeout',
      },
    }
  })
  const caller = callerOfGateway({
    customer_id: editor.user.customer.id,
    id: gateway_id,
    property_id: property.id,
    name: 'gateway',
  })
  const place = { property_id: property.id, time_zone: property.zone }
  await foyer.services.tenancy.enter(caller, 'write', (scope) => storeReports(scope, place, reports.toReversed()))
}

beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
  group_id = (await foyer.group(editor)).id
  packages = [(await foyer.package(editor)).id, (await foyer.package(editor)).id]
  properties = []
  for (const [index, zone] of zones.entries()) {
    const { id, name } = await foyer.property(editor, index < 2 ? { group_id } : {})
    await admin.query('update properties set time_zone = $2 where id = $1', [id, zone])
    properties.push({ id, name, zone })
  }
  const { id } = await saved(
    collections.create,
    { name: 'Far away', property_ids: [properties[2]?.id ?? 0, properties[4]?.id ?? 0] },
    editor,
  )
  collection_id = id
  category_id =
    (
      await admin.query<{ id: number }>('select id from mac_categories where customer_id = $1 order by id limit 1', [
        editor.user.customer.id,
      ])
    ).rows[0]?.id ?? 0
  const roll = dice(20_261_125)
  const devices = Array.from({ length: 12 }, (_, index): Device => ({
    mac_address: aMacAddress(),
    identifier: `guest-${index}`,
    auth_method_id: [1, 5, 6, 2][index % 4] ?? 1,
    package_id: packages[index % 2] ?? 0,
  }))
  for (const property of properties) {
    const { id: gateway_id } = await foyer.gateway(editor, { property_id: property.id })
    await saved(
      devicesContract.create,
      {
        property_id: property.id,
        mac_address: devices[0]?.mac_address ?? '',
        mac_category_id: category_id,
        name: 'Tablet',
      },
      editor,
    )
    for (let stream = 0; stream < 40; stream++) {
      const device = devices[roll(devices.length)]
      if (device) await streamOf(property, gateway_id, device, roll)
    }
  }
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

interface Kept {
  id: number
  property_id: number
  group_id: number | null
  package_id: number | null
  auth_method_id: number | null
  mac_category_id: number | null
  identifier: string
  mac: string
  started_at: number
  last_seen_at: number
  days: Record<string, [seconds: number, up: number, down: number]>
}
const keptSessions = async () =>
  (
    await admin.query<Kept>(
      `select id, property_id, group_id, package_id, auth_method_id, mac_category_id, identifier, mac_address::text as mac,
         floor(extract(epoch from started_at) * 1000)::float8 as started_at,
         floor(extract(epoch from last_seen_at) * 1000)::float8 as last_seen_at, days
       from radius_sessions where customer_id = $1 order by id`,
      [editor.user.customer.id],
    )
  ).rows

const zoneOf = (session: Kept) => properties.find(({ id }) => id === session.property_id)?.zone ?? 'UTC'

/** What each local day adds to the days before it. */
function partsOf({ days }: Kept) {
  let before = [0, 0, 0]
  return Object.keys(days)
    .toSorted()
    .map((day) => {
      const now = (days[day] ?? [0, 0, 0]).map((value, place) => Math.max(value, before[place] ?? 0))
      const [seconds = 0, up = 0, down = 0] = now.map((value, place) => value - (before[place] ?? 0))
      before = now
      return { day, seconds, bytes: up + down }
    })
}
function within(session: Kept, first: string, last: string) {
  const parts = partsOf(session).filter(({ day }) => day >= first && day <= last)
  return {
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
const touches = (session: Kept, first: string, last: string) =>
  localDay(session.started_at, zoneOf(session)) <= last && localDay(session.last_seen_at, zoneOf(session)) >= first
const gigabytes = (bytes: number) => Math.round(bytes / 1e6) / 1e3
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

type RunInput = Input<typeof contract.run>
/** All pages of a report. */
async function allOf(asked: RunInput, who: Person = editor) {
  const first = await foyer.get(contract.run, { per_page: 7, ...asked }, who)
  const rows = [...first.data]
  let { next_cursor } = first.meta
  while (next_cursor !== null) {
    const { data, meta } = await foyer.get(contract.run, { per_page: 7, ...asked, cursor: next_cursor }, who)
    expect(meta).toMatchObject({ from: rows.length + 1, totals: first.meta.totals, series: null })
    rows.push(...data)
    ;({ next_cursor } = meta)
  }
  return { rows, meta: first.meta }
}

const [first, last] = [addDays(today, -11), addDays(today, -4)]
const custom = { date_range: 'custom', start_date: first, end_date: last } as const

const cases = (): [string, RunInput, (session: Kept) => boolean][] => [
  ['everything', {}, () => true],
  [
    'properties',
    { property_ids: [properties[0]?.id ?? 0, properties[3]?.id ?? 0] },
    ({ property_id }) => [properties[0]?.id, properties[3]?.id].includes(property_id),
  ],
  ['a group', { group_ids: [group_id] }, (session) => session.group_id === group_id],
  [
    'a group and a collection',
    { group_ids: [group_id], collection_ids: [collection_id] },
    (session) => session.group_id === group_id || [properties[2]?.id, properties[4]?.id].includes(session.property_id),
  ],
  ['a package', { package_ids: [packages[0] ?? 0] }, ({ package_id }) => package_id === packages[0]],
  [
    'ways of signing in',
    { auth_method_ids: [2, 5] },
    ({ auth_method_id }) => auth_method_id === 2 || auth_method_id === 5,
  ],
  ['a category', { mac_category_ids: [category_id] }, ({ mac_category_id }) => mac_category_id === category_id],
  [
    'a package and a group',
    { package_ids: [packages[1] ?? 0], group_ids: [group_id] },
    (session) => session.package_id === packages[1] && session.group_id === group_id,
  ],
]

describe('the session report agrees with a plain sum', () => {
  test('for each filter: rows, totals, series and those of each identifier', async () => {
    const all = await keptSessions()
    for (const [name, asked, matches] of cases()) {
      const wanted = all.filter((session) => matches(session) && touches(session, first, last))
      expect(wanted.length, name).toBeGreaterThan(0)
      const { rows, meta } = await allOf({ ...custom, ...asked })
      const expected = wanted
        .toSorted((one, other) => other.started_at - one.started_at || other.id - one.id)
        .map((session) => {
          const { seconds, bytes } = within(session, first, last)
          return { id: session.id, identifier: session.identifier, duration: seconds, usage_gb: gigabytes(bytes) }
        })
      expect(rows, name).toMatchObject(expected)
      const used = wanted.map((session) => within(session, first, last))
      expect(meta, name).toMatchObject({
        total: wanted.length,
        range: { start_date: first, end_date: last },
        totals: {
          sessions: wanted.length,
          identifiers: new Set(wanted.map(({ identifier }) => identifier)).size,
          seconds: sum(used.map(({ seconds }) => seconds)),
          usage_gb: gigabytes(sum(used.map(({ bytes }) => bytes))),
        },
      })
      const usage = meta.series?.find(({ key }) => key === 'usage_gb')?.points ?? []
      expect(usage.map(({ at }) => at)).toEqual(Array.from({ length: 8 }, (_, index) => addDays(first, index)))
      for (const { at, value } of usage)
        expect(value, `${name} ${at}`).toBeCloseTo(
          gigabytes(sum(wanted.map((session) => within(session, at, at).bytes))),
          6,
        )

      const unique = await allOf({ ...custom, ...asked, view_as: 'unique' })
      const identifiers = Map.groupBy(wanted, ({ identifier }) => identifier)
      expect(unique.rows.length, name).toBe(identifiers.size)
      for (const [identifier, of] of identifiers)
        expect(unique.rows, name).toContainEqual({
          identifier,
          category: expect.toSatisfy((category: unknown) => category === null || typeof category === 'string'),
          sessions: of.length,
          duration: sum(of.map((session) => within(session, first, last).seconds)),
          usage_gb: gigabytes(sum(of.map((session) => within(session, first, last).bytes))),
        })
    }
  })

  test('in any order requested', async () => {
    const byDuration = await allOf({ ...custom, sort: 'duration' })
    const durations = byDuration.rows.map((row) => ('duration' in row ? row.duration : 0))
    expect(durations).toEqual(durations.toSorted((one, other) => one - other))
    expect(durations.length).toBe(byDuration.meta.total)
    const refused = await foyer.ask(contract.run, { ...custom, sort: 'day' }, editor)
    expectRefused(
      refused,
      invalid({ sort: ['This report is sorted by start, usage_gb, duration, identifier, property'] }),
    )
  })

  test('moments are in the property’s local time, and a session without an end is online', async () => {
    const all = await keptSessions()
    const { rows } = await allOf({ date_range: 'custom', start_date: addDays(today, -40), end_date: addDays(today, 1) })
    expect(rows.length).toBe(all.length)
    const shown = rows.filter((row) => 'start' in row)
    expect(shown.some(({ end }) => end === null)).toBe(true)
    for (const { id, start, end, termination_reason } of shown) {
      const session = all.find((one) => one.id === id)
      expect(Date.parse(start)).toBe(Math.floor((session?.started_at ?? 0) / 1000) * 1000)
      if (session) expect(start.slice(0, 10)).toBe(localDay(session.started_at, zoneOf(session)))
      expect(termination_reason).toBe(end === null ? 'Online' : 'Not used for a while')
    }
  })
})

test('the free Wi-Fi report counts guests as a plain count does, by property and day', async () => {
  const all = (await keptSessions()).filter(({ auth_method_id }) => auth_method_id !== 2)
  const visits = all.flatMap((session) => {
    const days = new Set([localDay(session.started_at, zoneOf(session)), ...Object.keys(session.days)])
    return [...days].map((day) => ({ property_id: session.property_id, day, guest: session.mac }))
  })
  const everyVisit = (await keptSessions()).flatMap((session) =>
    [localDay(session.started_at, zoneOf(session)), ...Object.keys(session.days)].map((day) => ({
      key: `${session.property_id} ${session.mac}`,
      day,
    })),
  )
  const firstDay = new Map<string, string>()
  for (const { key, day } of everyVisit) if (day < (firstDay.get(key) ?? '9')) firstDay.set(key, day)

  const { rows, meta } = await allOf({ ...custom, kind: 'free_wifi' })
  const seen = Map.groupBy(
    visits.filter(({ day }) => day >= first && day <= last),
    ({ property_id, day }) => `${property_id} ${day}`,
  )
  expect(rows.length).toBe(seen.size)
  for (const row of rows) {
    if (!('unique_guests' in row)) throw new Error('no row of this report')
    const property = properties.find(({ name }) => name === row.property)
    const of = seen.get(`${property?.id} ${row.day}`) ?? []
    const guests = new Set(of.map(({ guest }) => guest))
    const fresh = [...guests].filter((guest) => firstDay.get(`${property?.id} ${guest}`) === row.day)
    const there = all.filter(({ property_id }) => property_id === property?.id)
    expect(row).toMatchObject({
      unique_guests: guests.size,
      new_guests: fresh.length,
      returning_guests: guests.size - fresh.length,
      sessions: there.filter((one) => localDay(one.started_at, zoneOf(one)) === row.day).length,
      usage_gb: gigabytes(sum(there.map((session) => within(session, row.day, row.day).bytes))),
    })
  }
  const guests = new Set([...seen.values()].flat().map(({ guest }) => guest))
  expect(meta.totals).toMatchObject({ identifiers: guests.size })
  const points = (key: string) =>
    sum((meta.series?.find((one) => one.key === key)?.points ?? []).map(({ value }) => value))
  expect(points('sessions')).toBe(meta.totals?.sessions)
  expect(points('method_1') + points('method_5') + points('method_6')).toBe(points('sessions'))
  expect(meta.series?.find(({ key }) => key === 'week_hours')?.points.length).toBe(168)
})

test('a report and its schedule are one record', async () => {
  const draft = await saved(scheduled.create, { name: 'Half done', draft: true, frequency: 5, wizard_step: 3 }, editor)
  expect(draft).toMatchObject({ status: 'draft', wizard_step: 3, format: 'xls', view_as: 'all_sessions' })
  expect(draft.columns).toEqual(contract.columnsTicked)
  const incomplete = await foyer.ask(contract.activate, { id: draft.id }, editor)
  expect(incomplete).toMatchObject({ status: 422, body: { errors: { start_date: ['This field is required'] } } })
  const whole = await saved(
    scheduled.update,
    { id: draft.id, draft: false, start_date: '2027-01-31', group_ids: [group_id], recipients: ['a@example.com'] },
    editor,
  )
  expect(whole).toMatchObject({ status: 'active', filters_applied: [{ key: 'group_ids', title: 'Groups' }] })
  const once = await saved(scheduled.create, { name: 'Once', ...custom }, editor)
  const listed = await foyer.get(scheduled.listScheduled, {}, editor)
  expect(listed.data.map(({ id }) => id)).toEqual([whole.id])
  expect((await foyer.get(contract.list, {}, editor)).data.map(({ id }) => id)).toEqual([once.id, whole.id])
  const copy = await saved(contract.duplicate, { id: whole.id }, editor)
  expect(copy).toMatchObject({ name: 'Half done (copy)', status: 'draft', group_ids: [group_id] })
  expect(await saved(scheduled.deactivateScheduled, { id: whole.id }, editor)).toMatchObject({ status: 'disabled' })
  await foyer.get(contract.remove, { id: whole.id }, editor)
  expect((await saved(scheduled.namesScheduled, {}, editor)).map(({ id }) => id)).toEqual([copy.id])

  const byId = await foyer.get(contract.run, { id: once.id }, editor)
  const byFields = await foyer.get(contract.run, custom, editor)
  // A cursor says when its first page was asked.
  const unmarked = ({ data, meta }: typeof byId) => ({
    data,
    meta: { ...meta, next_cursor: meta.next_cursor !== null },
  })
  expect(unmarked(byId)).toEqual(unmarked(byFields))
  const wrong = { name: 'Wrong', date_range: 'custom', start_date: last, end_date: first } as const
  expectRefused(
    await foyer.ask(scheduled.create, wrong, editor),
    invalid({ end_date: ['The last day comes before the first'] }),
  )
  expectRefused(
    await foyer.ask(contract.run, { kind: 'free_wifi', package_ids: packages }, editor),
    invalid({ package_ids: ['The free Wi-Fi report cannot be narrowed by this'] }),
  )
})

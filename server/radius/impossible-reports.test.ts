// Impossible reports: each number of a report at the ends of its range, as gateways send them whose clock was set or whose counter went
// wrong. No session vanishes, and none reaches back before its Accept.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { attribute, code, numeric, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn, type RadiusRequest } from '#test/radius-client.ts'
import { letInEarlier, showClock, withRadius, type TestRadius } from '#test/radius.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

const password = 'guest password'
async function place(wifi: object = {}) {
  const property = await foyer.property(editor)
  const { gateway } = await radius.gatewayAt(property.id)
  const { id: package_id } = await foyer.package(editor, wifi)
  const user_name = `guest-${package_id}`
  await foyer.account(editor, { property_id: property.id, package_id, username: user_name, password })
  const signIn = (calling_station_id: string) => gateway.access({ user_name, password, calling_station_id })
  const device = async () => {
    const calling_station_id = aMacAddress()
    const mark = textIn(await signIn(calling_station_id), attribute.class) ?? ''
    return { user_name, calling_station_id, class: mark, acct_session_id: `session of ${calling_station_id}` }
  }
  return { property, gateway, signIn, device }
}
type Place = Awaited<ReturnType<typeof place>>

interface Found {
  mac: string
  accepted_ms: number
  started_ms: number
  last_ms: number
  stopped_ms: number | null
  seconds: number
  bytes: number
  days: Record<string, number[]>
}
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const sessionsOf = async ({ property }: Place) =>
  (
    await admin.query<Found>(
      `select s.mac_address::text as mac, ${ms('a.created_at')} as accepted_ms, ${ms('s.started_at')} as started_ms,
         ${ms('s.last_seen_at')} as last_ms, ${ms('s.stopped_at')} as stopped_ms, s.seconds, s.days,
         s.bytes_up + s.bytes_down as bytes
       from radius_sessions s left join radius_authorisations a on a.id = s.authorisation_id where s.property_id = $1`,
      [property.id],
    )
  ).rows

const ends = [0, 2 ** 31, 2 ** 32 - 1]
const kinds = ['start', 'interim', 'stop'] as const

test('whatever number stands in a report, its session stays one, and begins no earlier than its Accept', async () => {
  const here = await place()
  await showClock(here.gateway)
  expect(numeric).toContain('acct_session_time')
  const guests = new Map<string, string>()
  await Promise.all(
    numeric.flatMap((name) =>
      ends.map(async (value) => {
        const known = await here.device()
        guests.set(known.calling_station_id.toLowerCase().replaceAll('-', ':'), `${name} ${value}`)
        for (const kind of kinds) {
          const usual = { acct_status_type: status_type[kind], acct_session_time: 0, acct_output_octets: 1000 }
          const report: RadiusRequest = { ...known, ...usual, [name]: value }
          expect((await here.gateway.report(report)).code, `${kind}: ${name} ${value}`).toBe(code.accounting_response)
        }
      }),
    ),
  )
  const found = await sessionsOf(here)
  const named = found.map(({ mac }) => guests.get(mac))
  // A report of an unknown kind is about no session.
  const all = [...guests.values()].filter((one) => !one.startsWith('acct_status_type'))
  expect(new Set(named)).toEqual(new Set(all))
  expect(named.length).toBe(all.length)
  for (const one of found) {
    const name = guests.get(one.mac)
    expect(one.started_ms, name).toBeGreaterThanOrEqual(Math.floor(one.accepted_ms))
    for (const moment of [one.started_ms, one.last_ms, one.stopped_ms])
      expect(moment ?? 0, name).toBeLessThanOrEqual(Date.now())
    expect(one.seconds, name).toBeLessThanOrEqual((Date.now() - one.accepted_ms) / 1000 + 5)
    expect(one.bytes, name).toBeLessThan(1e11)
    expect(Object.keys(one.days), name).toHaveLength(1)
  }
})

test('a session time of -1 uses no package up, and a delay of -1 takes nothing from the time before', async () => {
  const here = await place({ session_time_hrs: 2 })
  const known = await here.device()
  await letInEarlier(admin, known.class, 1800)
  const report = (kind: (typeof kinds)[number], more: RadiusRequest) =>
    here.gateway.report({ ...known, acct_status_type: status_type[kind], ...more })
  await report('start', {})
  await report('interim', { acct_session_time: 600, acct_delay_time: 2 ** 32 - 1 })
  const [late] = await sessionsOf(here)
  expect(late).toMatchObject({ seconds: 600 })
  await report('interim', { acct_session_time: 2 ** 32 - 1 })
  const [one] = await sessionsOf(here)
  expect(one?.seconds).toBeGreaterThanOrEqual(1800)
  expect(one?.seconds).toBeLessThan(1860)
  expect(one?.started_ms).toBe(one?.accepted_ms)
  expect((await here.signIn(known.calling_station_id)).code).toBe(code.access_accept)
})

test('without a Class a report reaches seven days back at most, however long the session has been known', async () => {
  const here = await place()
  const { class: _class, ...known } = await here.device()
  await here.gateway.report({ ...known, acct_status_type: status_type.interim, acct_session_time: 2 ** 32 - 1 })
  const week_s = 7 * 24 * 3600
  expect(await sessionsOf(here)).toMatchObject([{ seconds: week_s }])
  await admin.query(`update radius_sessions set started_at = started_at - interval '3 days' where property_id = $1`, [
    here.property.id,
  ])
  const longer_s = week_s + 2 * 24 * 3600
  await here.gateway.report({ ...known, acct_status_type: status_type.interim, acct_session_time: longer_s })
  expect(await sessionsOf(here)).toMatchObject([{ seconds: longer_s }])
})

test('a Class that comes late bounds what was thought before it', async () => {
  const here = await place()
  const { class: mark, ...known } = await here.device()
  const nobody = { acct_session_id: known.acct_session_id, acct_status_type: status_type.interim }
  await here.gateway.report({ ...nobody, acct_session_time: 2 ** 31, acct_output_octets: 500 })
  await here.gateway.report({ ...nobody, ...known, class: mark, acct_session_time: 2 ** 31 })
  const [one, ...more] = await sessionsOf(here)
  expect(more).toEqual([])
  expect(one?.started_ms).toBe(one?.accepted_ms)
  expect(one?.seconds).toBeLessThan(60)
  expect(one?.bytes).toBe(500)
})

test('a counter of 32 bits wraps where it falls far; one that falls a little, or is not given, stays', async () => {
  const here = await place()
  const known = await here.device()
  await letInEarlier(admin, known.class, 3600)
  const bytesAfter = async (acct_session_time: number, more: RadiusRequest) => {
    await here.gateway.report({ ...known, acct_status_type: status_type.interim, acct_session_time, ...more })
    return (await sessionsOf(here))[0]?.bytes
  }
  expect(await bytesAfter(300, { acct_output_octets: 3_000_000_000 })).toBe(3_000_000_000)
  expect(await bytesAfter(600, { acct_output_octets: 2_000_000_000 })).toBe(3_000_000_000)
  expect(await bytesAfter(900, {})).toBe(3_000_000_000)
  expect(await bytesAfter(1200, { acct_output_octets: 1000 })).toBe(2 ** 32 + 1000)
})

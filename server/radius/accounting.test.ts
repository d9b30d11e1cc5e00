// Accounting: the sessions, sums and quotas that result from gateways' reports. That their order does not matter is shown by
// test/proofs/shuffled-reports.test.ts.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import * as sessionCalls from '#contract/sessions.ts'
import { connect } from '#server/db/logins.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
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
}, 'api,radius,jobs')

async function site(time_zone = 'Europe/London') {
  const property = await foyer.property(editor)
  await admin.query('update properties set time_zone = $2 where id = $1', [property.id, time_zone])
  const { made, gateway } = await radius.gatewayAt(property.id)
  await showClock(gateway)
  return { property, made, gateway }
}
/** An account that signed in two days ago; what its gateway repeats with each report. */
async function guest({ property, gateway }: Awaited<ReturnType<typeof site>>, wifi: object = {}) {
  const { id: package_id } = await foyer.package(editor, wifi)
  const username = `guest-${package_id}`
  const account = await foyer.account(editor, {
    property_id: property.id,
    package_id,
    username,
    password: 'guest password',
  })
  const calling_station_id = aMacAddress()
  const answer = await gateway.access({ user_name: username, password: 'guest password', calling_station_id })
  expect(answer.code).toBe(code.access_accept)
  const mark = textIn(answer, attribute.class) ?? ''
  await letInEarlier(admin, mark, 48 * 3600)
  return { account, username, known: { user_name: username, calling_station_id, class: mark } }
}

const day = (text: string) => Date.parse(text) / 1000
const status = { start: 1, stop: 2, interim: 3, on: 7 }
async function stateOf(property_id: number) {
  const [sessions, usage, days] = await Promise.all([
    admin.query(
      `select acct_session_id, started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down, termination_cause,
         stop_inferred, account_id from radius_sessions where property_id = $1 order by acct_session_id, started_at`,
      [property_id],
    ),
    admin.query(
      `select u.starts_at, u.seconds_used, u.bytes_used from usage_periods u join accounts a on a.id = u.account_id
       where a.property_id = $1 and (u.seconds_used, u.bytes_used) <> (0, 0) order by 1, 2, 3`,
      [property_id],
    ),
    admin.query(
      `select day, package_id, sessions, seconds, bytes_up, bytes_down from session_days
       where property_id = $1 and (sessions, seconds, bytes_up, bytes_down) <> (0, 0, 0, 0) order by day, package_id`,
      [property_id],
    ),
  ])
  return { sessions: sessions.rows, usage: usage.rows, days: days.rows }
}

test('when data is used up, the session is ended at its gateway, with the reason', async () => {
  const place = await site()
  const { known } = await guest(place, { volume_gb: 1 })
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [place.made.id, place.gateway.port])
  const asked = place.gateway.nextRequest()
  const session = { ...known, acct_session_id: 'used-up' }
  await place.gateway.report({ ...session, acct_status_type: status.start, acct_session_time: 0 })
  await place.gateway.report({
    ...session,
    acct_status_type: status.interim,
    acct_session_time: 60,
    acct_output_octets: 1_000_000_001,
  })
  const { code: kind, attributes } = await asked
  expect(kind).toBe(code.disconnect_request)
  expect(textIn({ code: kind, attributes }, attribute.acct_session_id)).toBe('used-up')
  await place.gateway.report({
    ...session,
    acct_status_type: status.stop,
    acct_session_time: 61,
    acct_output_octets: 1_000_000_001,
    acct_terminate_cause: 6,
  })
  expect((await stateOf(place.property.id)).sessions).toMatchObject([
    { termination_cause: 'Data-Used-Up', stop_inferred: false },
  ])
  const again = await place.gateway.access({
    user_name: known.user_name,
    password: 'guest password',
    calling_station_id: known.calling_station_id,
  })
  expect(again.code).toBe(code.access_reject)
})

test('a report is stored and answered while another transaction holds another session of the same account', async () => {
  const place = await site()
  const { known, account } = await guest(place, { volume_gb: 1 })
  const start = { acct_status_type: status.start, acct_session_time: 0 }
  await place.gateway.report({ ...known, acct_session_id: 'held', ...start })
  const { gateway } = await radius.gatewayAt(place.property.id)
  const device = { user_name: known.user_name, calling_station_id: aMacAddress() }
  const mark = textIn(await gateway.access({ ...device, password: 'guest password' }), attribute.class) ?? ''
  const reported = { ...device, class: mark, acct_session_id: 'reported' }
  await gateway.report({ ...reported, ...start })
  const one = await connect(foyer.database.adminUrl)
  const usedUp = (acct_output_octets: number) =>
    gateway.report({ ...reported, acct_status_type: status.interim, acct_session_time: 60, acct_output_octets })
  const those = async (columns: string) =>
    (
      await admin.query(`select ${columns} from radius_sessions where account_id = $1 order by acct_session_id`, [
        account.id,
      ])
    ).rows
  try {
    await one.query('begin')
    await one.query(`select from radius_sessions where account_id = $1 and acct_session_id = 'held' for update`, [
      account.id,
    ])
    await usedUp(1_000_000_001)
    expect(await those('bytes_down::text, disconnect_for')).toEqual([
      { bytes_down: '0', disconnect_for: null },
      { bytes_down: '1000000001', disconnect_for: 'Data-Used-Up' },
    ])
  } finally {
    await one.end()
  }
  // The job asks the other session's gateway, too.
  const why = { disconnect_for: 'Data-Used-Up' }
  await expect.poll(() => those('disconnect_for'), { timeout: 30_000 }).toEqual([why, why])
})

test('a silent session is closed, and opens again when its gateway reports it', async () => {
  const place = await site()
  const { known } = await guest(place)
  const session = { ...known, acct_session_id: 'silent' }
  await place.gateway.report({ ...session, acct_status_type: status.interim, acct_session_time: 60 })
  await admin.query(
    `update radius_sessions set last_seen_at = now() - interval '1 hour', created_at = now() - interval '1 hour' where property_id = $1`,
    [place.property.id],
  )
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  expect((await stateOf(place.property.id)).sessions).toMatchObject([
    { termination_cause: 'Lost-Carrier', stop_inferred: true },
  ])
  await place.gateway.report({ ...session, acct_status_type: status.interim, acct_session_time: 600 })
  expect((await stateOf(place.property.id)).sessions).toMatchObject([{ stopped_at: null, stop_inferred: false }])
})

test('a device that is blocked while it is online is disconnected', async () => {
  const place = await site()
  const { known } = await guest(place)
  await report(place, { ...known, acct_session_id: 'blocked' }, status.start, 0)
  const why = async () =>
    (await admin.query('select disconnect_for from radius_sessions where property_id = $1', [place.property.id])).rows
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  expect(await why()).toEqual([{ disconnect_for: null }])
  await admin.query(
    `insert into devices (customer_id, property_id, name, mac_address, mac_category_id)
     select k.customer_id, $1, 'Nuisance', $2::macaddr, k.id from mac_categories k where k.customer_id = $3 and k.blocks limit 1`,
    [place.property.id, known.calling_station_id, editor.user.customer.id],
  )
  await endSessions(foyer.services.tenancy, foyer.services.queue)
  expect(await why()).toEqual([{ disconnect_for: 'Device-Blocked' }])
})

test('a report counts once, on the local day of its property', async () => {
  const place = await site('America/New_York')
  const { known } = await guest(place)
  const at = day(`${new Date().toISOString().slice(0, 10)}T01:00:00Z`)
  await place.gateway.report({
    ...known,
    acct_session_id: 'day',
    acct_status_type: status.stop,
    event_timestamp: at,
    acct_session_time: 60,
    acct_input_octets: 5,
  })
  const yesterday = new Date((at - 3600 * 12) * 1000).toISOString().slice(0, 10)
  expect((await stateOf(place.property.id)).days).toMatchObject([
    { day: yesterday, sessions: 1, seconds: 60, bytes_up: 5 },
  ])
})

test('a session id that a gateway reuses keeps its guest, even in one batch with new sessions of another gateway', async () => {
  const place = await site()
  const { gateway: other } = await radius.gatewayAt(place.property.id)
  const { account, known } = await guest(place)
  const { class: _class, ...unmarked } = known
  const began = Math.floor(Date.now() / 1000) - 7200
  const again = (after_s: number) =>
    place.gateway.report({
      ...unmarked,
      acct_session_id: 'again',
      acct_status_type: status.start,
      acct_session_time: 0,
      event_timestamp: began + after_s,
    })
  const first = (acct_session_id: string) =>
    other.report({ acct_session_id, acct_status_type: status.start, calling_station_id: aMacAddress() })
  await Promise.all([again(0), first('1')])
  // Reports that come at the same moment are stored together.
  await Promise.all([again(3600), first('2')])
  expect((await stateOf(place.property.id)).sessions).toMatchObject([
    { acct_session_id: '1', account_id: null },
    { acct_session_id: '2', account_id: null },
    { acct_session_id: 'again', account_id: account.id },
    { acct_session_id: 'again', account_id: account.id },
  ])
})

test('an unknown sender, or one with a wrong secret, gets no answer and leaves no session', async () => {
  const place = await site()
  const wrong = place.gateway.accountingPacket(
    { acct_session_id: 'x', acct_status_type: status.start },
    { secret: 'wrong' },
  )
  expect(await place.gateway.send(wrong, radius.ports.accounting, 500)).toBeNull()
  const unknown_sender = place.gateway.accountingPacket({
    nas_identifier: 'nobody',
    acct_session_id: 'x',
    acct_status_type: status.start,
  })
  expect(await place.gateway.send(unknown_sender, radius.ports.accounting, 500)).toBeNull()
  expect((await stateOf(place.property.id)).sessions).toEqual([])
  await expect
    .poll(async () => (await admin.query('select refused_for from gateways where id = $1', [place.made.id])).rows[0])
    .toEqual({ refused_for: 'wrong_secret' })
})

/** A report of a session, with its time so far. */
const report = ({ gateway }: Awaited<ReturnType<typeof site>>, more: RadiusRequest, kind: number, seconds: number) =>
  gateway.report({ ...more, acct_status_type: kind, acct_session_time: seconds })

test('each direction counts by its own upper half, even if that is sent only once it is not 0', async () => {
  const place = await site()
  const { known } = await guest(place)
  const session = { ...known, acct_session_id: 'whole' }
  const gigabyte = 1e9
  for (const [minutes, down] of [
    [1, 4],
    [2, 4.8],
    [3, 4.81],
  ] as const) {
    const bytes = down * gigabyte
    const upper = Math.floor(bytes / 2 ** 32)
    await report(
      place,
      {
        ...session,
        acct_input_octets: minutes,
        acct_output_octets: bytes % 2 ** 32,
        ...(upper > 0 && { acct_output_gigawords: upper }),
      },
      status.interim,
      minutes * 60,
    )
  }
  // The other direction has its own upper half.
  await report(
    place,
    {
      ...session,
      acct_input_octets: 1,
      acct_input_gigawords: 1,
      acct_output_octets: 515_032_704,
      acct_output_gigawords: 1,
    },
    status.interim,
    240,
  )
  expect((await stateOf(place.property.id)).sessions).toMatchObject([{ bytes_up: 2 ** 32 + 1, bytes_down: 4.81e9 }])
})

test('a session stays one whatever else is missing or changes; another MAC is another session', async () => {
  const place = await site()
  const { known, account } = await guest(place)
  const { class: mark, user_name, calling_station_id } = known
  const one = { acct_session_id: '1' }
  await report(place, { ...one, calling_station_id }, status.start, 0)
  await report(place, { ...one, class: mark, user_name, calling_station_id }, status.interim, 60)
  await report(
    place,
    { ...one, class: 'foyer-999999', user_name: user_name.toUpperCase(), calling_station_id, acct_output_octets: 500 },
    status.interim,
    120,
  )
  await report(place, { ...one, calling_station_id: aMacAddress() }, status.start, 0)
  // The first one's Stop names no device.
  await report(place, { ...one, acct_output_octets: 600 }, status.stop, 180)
  const { sessions } = await stateOf(place.property.id)
  expect(sessions).toHaveLength(2)
  expect(sessions).toMatchObject([
    { account_id: account.id, seconds: 180, bytes_down: 600, termination_cause: 'Unknown' },
    { seconds: 0, stopped_at: null },
  ])
})

test('an id begins a new session with a start after the end, or where its time decreases', async () => {
  const place = await site()
  const { known } = await guest(place)
  const now = Math.floor(Date.now() / 1000)
  const at = (seconds_ago: number, kind: number, seconds: number, bytes: number) =>
    report(
      place,
      { ...known, acct_session_id: 'x', event_timestamp: now - seconds_ago, acct_output_octets: bytes },
      kind,
      seconds,
    )
  await at(9000, status.start, 0, 0)
  await at(8000, status.stop, 1000, 100)
  await at(7990, status.start, 0, 0)
  await at(6000, status.interim, 1990, 10)
  await at(3000, status.interim, 600, 1)
  expect((await stateOf(place.property.id)).sessions).toMatchObject([
    { seconds: 1000, bytes_down: 100 },
    { seconds: 1990, bytes_down: 10 },
    { seconds: 600, bytes_down: 1 },
  ])
})

test('a report of a gateway with a wrong clock counts as of now, and never in the future', async () => {
  for (const hours of [-400_000, -23, 20]) {
    const place = await site()
    await admin.query("update gateways set boxes = '{}' where id = $1", [place.made.id])
    const { known } = await guest(place)
    const event_timestamp = Math.max(0, Math.floor(Date.now() / 1000) + hours * 3600)
    await report(place, { ...known, acct_session_id: 'x', event_timestamp, acct_output_octets: 5 }, status.interim, 60)
    const [session] = (await stateOf(place.property.id)).sessions as { last_seen_at: string }[]
    const ago_ms = Date.now() - Date.parse(session?.last_seen_at ?? '')
    expect(ago_ms, `${hours} hours`).toBeGreaterThanOrEqual(0)
    expect(ago_ms, `${hours} hours`).toBeLessThan(60_000)
    await place.gateway.report({ acct_status_type: status.on })
    expect((await stateOf(place.property.id)).sessions).toMatchObject([{ termination_cause: 'NAS-Reboot' }])
  }
})

test('a session stays one, and is counted once, when its box gets another name while the guest is online', async () => {
  const place = await site()
  const { known } = await guest(place)
  const { made, gateway } = place
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const session = { ...known, acct_session_id: '80000001' }
  const interim = (acct_session_time: number, more: RadiusRequest = {}) =>
    gateway.report({
      ...session,
      acct_status_type: status.interim,
      acct_session_time,
      acct_output_octets: acct_session_time * 1000,
      ...more,
    })
  await gateway.report({ ...session, acct_status_type: status.start, acct_session_time: 0 })
  await letInEarlier(admin, known.class, 3600)
  await interim(3600)
  const nas_identifier = `renamed-${made.id}`
  await foyer.get(gateways.update, { id: made.id, nas_identifier }, editor)
  await interim(3660, { nas_identifier })
  await interim(3720, { nas_identifier })
  const { sessions, usage } = await stateOf(place.property.id)
  expect(sessions).toMatchObject([{ seconds: 3720, bytes_down: 3_720_000, stopped_at: null }])
  expect(usage).toMatchObject([{ seconds_used: 3720, bytes_used: 3_720_000 }])

  // It is asked by the name that it has now, and says that this one is over.
  const [open] = (await foyer.get(sessionCalls.list, { params: { property_id: place.property.id } }, editor)).data
  const asked = gateway.nextRequest()
  await foyer.get(sessionCalls.disconnect, { ids: [open?.id ?? 0], reason: 'A test' }, editor)
  expect(textIn(await asked, attribute.nas_identifier)).toBe(nas_identifier)
  // Another session with its id is another's.
  const later = { ...session, calling_station_id: aMacAddress(), acct_session_time: 3720, nas_identifier: 'third' }
  await foyer.get(gateways.update, { id: made.id, nas_identifier: 'third' }, editor)
  await gateway.report({ ...later, acct_status_type: status.interim })
  expect((await stateOf(place.property.id)).sessions).toHaveLength(2)
})

// Accounting: whatever order reports come in, and however often, sessions, sums and quota come out the same.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { attribute, code } from '#server/radius/dictionary.ts'
import { endSessions } from '#server/radius/end-sessions.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn, type Asked } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

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
  return { property, made, gateway }
}
/** Signs an account in, and answers what its gateway repeats with each report. */
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
  return { account, username, known: { user_name: username, calling_station_id, class: mark } }
}

const day = (text: string) => Date.parse(text) / 1000
const status = { start: 1, stop: 2, interim: 3, on: 7 }
async function standing(property_id: number) {
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

/** Where a day begins in the hour before this moment, in seconds since 1970. */
function zoneWithMidnightAt(moment: number): string {
  const hour = Math.floor((moment % 86_400) / 3600)
  return hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`
}

/** Numbers that look random and are the same in each run. */
function shuffled<T>(values: T[], seed: number): T[] {
  const result = [...values]
  let state = seed * 2_654_435_761
  for (let index = result.length - 1; index > 0; index--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = state % (index + 1)
    const [one, two] = [result[index], result[other]]
    if (one !== undefined && two !== undefined) [result[index], result[other]] = [two, one]
  }
  return result
}

test('the same reports, shuffled and doubled a hundred times, give the same sessions, sums and quota', async () => {
  const noon = Math.floor(Date.now() / 1000) - 20 * 3600
  const place = await site(zoneWithMidnightAt(noon + 5.5 * 3600))
  const one = await guest(place)
  const report = (
    acct_session_id: string,
    acct_status_type: number,
    after_s: number,
    bytes: number,
    more: Asked = {},
  ): Asked => ({
    ...one.known,
    acct_session_id,
    acct_status_type,
    event_timestamp: noon + after_s,
    acct_session_time: acct_status_type === status.start ? 0 : after_s,
    acct_input_octets: bytes % 2 ** 32,
    acct_input_gigawords: Math.floor(bytes / 2 ** 32),
    acct_output_octets: (10 * bytes) % 2 ** 32,
    acct_output_gigawords: Math.floor((10 * bytes) / 2 ** 32),
    ...more,
  })
  const long = [1, 4, 7, 10, 13, 16].map((hours) => report('long', status.interim, hours * 3600, hours * 1e9))
  const reports = [
    report('long', status.start, 0, 0),
    ...long,
    report('long', status.stop, 17 * 3600, 17e9, { acct_terminate_cause: 1 }),
    report('open', status.start, 0, 0),
    report('open', status.interim, 600, 5e6),
  ]
  // The same id again after a restart, from a gateway that repeats no mark of ours.
  const { class: _class, ...unmarked } = { ...one.known, acct_session_id: 'again' }
  for (const [began, bytes] of [
    [3600, 1e6],
    [10 * 3600, 2e6],
  ] as const)
    reports.push(
      { ...unmarked, acct_status_type: status.start, event_timestamp: noon + began, acct_session_time: 0 },
      {
        ...unmarked,
        acct_status_type: status.stop,
        event_timestamp: noon + began + 900,
        acct_session_time: 900,
        acct_input_octets: bytes,
        acct_terminate_cause: 4,
      },
    )
  reports.push({ acct_status_type: status.on, event_timestamp: noon + 3000 })

  for (const each of reports) await place.gateway.report(each)
  const expected = await standing(place.property.id)
  expect(expected.sessions).toHaveLength(4)
  expect(
    expected.sessions.map(({ acct_session_id, bytes_down, termination_cause }) => [
      acct_session_id,
      bytes_down,
      termination_cause,
    ]),
  ).toEqual([
    ['again', 0, 'Idle-Timeout'],
    ['again', 0, 'Idle-Timeout'],
    ['long', 170e9, 'User-Request'],
    ['open', 50e6, 'NAS-Reboot'],
  ])
  expect(expected.days).toHaveLength(2)
  const sum = expected.usage.reduce((all, { bytes_used }) => all + Number(bytes_used), 0)
  expect(sum).toBe(187e9 + 55e6 + 3e6)

  for (let round = 1; round <= 100; round++) {
    await admin.query('delete from radius_sessions where property_id = $1', [place.property.id])
    await admin.query('delete from session_days where property_id = $1', [place.property.id])
    await admin.query('delete from usage_periods where account_id = $1', [one.account.id])
    await admin.query('update gateways set restarted_at = null where id = $1', [place.made.id])
    const many = shuffled([...reports, ...reports], round)
    // Some alone, some at once: what arrives together is stored together.
    for (let next = many.splice(0, 1 + (round % 7)); next.length > 0; next = many.splice(0, 1 + (round % 7)))
      // A packet that is the same to the byte would get the answer of the round before, for it would be taken for a repetition.
      await Promise.all(next.map((each) => place.gateway.report({ ...each, proxy_state: `round ${round}` })))
    expect(await standing(place.property.id), `round ${round}`).toEqual(expected)
  }
})

test('data that is used up ends the session at its gateway, with the reason', async () => {
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
  expect((await standing(place.property.id)).sessions).toMatchObject([
    { termination_cause: 'Data-Used-Up', stop_inferred: false },
  ])
  const again = await place.gateway.access({
    user_name: known.user_name,
    password: 'guest password',
    calling_station_id: known.calling_station_id,
  })
  expect(again.code).toBe(code.access_reject)
})

test('what is reported is stored and answered while somebody else holds another session of the same account', async () => {
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
  // The job tells the other one's gateway, too.
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
  expect((await standing(place.property.id)).sessions).toMatchObject([
    { termination_cause: 'Lost-Carrier', stop_inferred: true },
  ])
  await place.gateway.report({ ...session, acct_status_type: status.interim, acct_session_time: 600 })
  expect((await standing(place.property.id)).sessions).toMatchObject([{ stopped_at: null, stop_inferred: false }])
})

test('a report is kept once, on whichever day its property has', async () => {
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
  expect((await standing(place.property.id)).days).toMatchObject([
    { day: yesterday, sessions: 1, seconds: 60, bytes_up: 5 },
  ])
})

test('whoever is not known, or does not know the secret, gets no answer and leaves no session', async () => {
  const place = await site()
  const wrong = place.gateway.accountingPacket(
    { acct_session_id: 'x', acct_status_type: status.start },
    { secret: 'wrong' },
  )
  expect(await place.gateway.send(wrong, radius.ports.accounting, 500)).toBeNull()
  const stranger = place.gateway.accountingPacket({
    nas_identifier: 'nobody',
    acct_session_id: 'x',
    acct_status_type: status.start,
  })
  expect(await place.gateway.send(stranger, radius.ports.accounting, 500)).toBeNull()
  expect((await standing(place.property.id)).sessions).toEqual([])
  await expect
    .poll(async () => (await admin.query('select refused_for from gateways where id = $1', [place.made.id])).rows[0])
    .toEqual({ refused_for: 'wrong_secret' })
})

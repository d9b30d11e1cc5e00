// Shuffled reports: sessions, sums and quota are the same in whatever order and however often gateways report.
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress } from '#test/foyer.ts'
import { textIn, type RadiusRequest } from '#test/radius-client.ts'
import { letInEarlier, withRadius, type TestRadius } from '#test/radius.ts'
import { chance, full, share } from './proof.ts'

let radius: TestRadius
let admin: Pool
withRadius((opened) => {
  radius = opened
  admin = new Pool({ connectionString: radius.foyer.database.adminUrl, max: 4 })
  // The database is dropped at the end, even with open connections.
  admin.on('error', () => {})
})

const rounds = share(10_000)
/** Gateways of one property, so that their reports are also stored together. */
const gateways = full ? 40 : 5
const hour_s = 3600
/** The most unanswered reports of a gateway at the same time. */
const together_max = 7

/** A time zone in which a day begins in the hour before a moment, in seconds since 1970. */
function zoneWithMidnightAt(moment: number): string {
  const hour = Math.floor((moment % 86_400) / hour_s)
  return hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`
}

/** A gateway with its own guest and package, so that its sums can be told from the others'. */
async function openGuest(property_id: number) {
  const { foyer, editor } = radius
  const { made, gateway } = await radius.gatewayAt(property_id)
  const { id: package_id } = await foyer.package(editor)
  const credentials = { user_name: `guest-${package_id}`, password: 'guest password' }
  const { user_name: username, password } = credentials
  const account = await foyer.account(editor, { property_id, package_id, username, password })
  const calling_station_id = aMacAddress()
  const answer = await gateway.access({ ...credentials, calling_station_id })
  expect(answer.code).toBe(code.access_accept)
  const marker = textIn(answer, attribute.class) ?? ''
  await letInEarlier(admin, marker, 24 * hour_s)
  return {
    gateway,
    ids: [made.id, account.id, package_id],
    known: { user_name: username, calling_station_id, class: marker },
  }
}
type Guest = Awaited<ReturnType<typeof openGuest>>

/** A long session over midnight, one without a stop, one id that is used twice, and a restart of the gateway. */
function reportsOf({ known }: Guest, noon: number): RadiusRequest[] {
  const report = (
    id: string,
    acct_status_type: number,
    after_s: number,
    bytes: number,
    more: RadiusRequest = {},
  ): RadiusRequest => ({
    ...known,
    acct_session_id: id,
    acct_status_type,
    event_timestamp: noon + after_s,
    acct_session_time: acct_status_type === status_type.start ? 0 : after_s,
    acct_input_octets: bytes % 2 ** 32,
    acct_input_gigawords: Math.floor(bytes / 2 ** 32),
    acct_output_octets: (10 * bytes) % 2 ** 32,
    acct_output_gigawords: Math.floor((10 * bytes) / 2 ** 32),
    ...more,
  })
  const { class: _class, ...unmarked } = known
  // The same id again after a restart, from a gateway that does not return our Class attribute.
  const again = [
    [hour_s, 1e6],
    [10 * hour_s, 2e6],
  ].flatMap(([began = 0, acct_input_octets = 0]): RadiusRequest[] => {
    const session = { ...unmarked, acct_session_id: 'again' }
    const began_at = { acct_status_type: status_type.start, event_timestamp: noon + began, acct_session_time: 0 }
    const ended_at = { acct_status_type: status_type.stop, event_timestamp: noon + began + 900, acct_session_time: 900 }
    return [
      { ...session, ...began_at },
      { ...session, ...ended_at, acct_input_octets, acct_terminate_cause: 4 },
    ]
  })
  return [
    report('long', status_type.start, 0, 0),
    ...[1, 4, 7, 10, 13, 16].map((hours) => report('long', status_type.interim, hours * hour_s, hours * 1e9)),
    report('long', status_type.stop, 17 * hour_s, 17e9, { acct_terminate_cause: 1 }),
    report('open', status_type.start, 0, 0),
    report('open', status_type.interim, 600, 5e6),
    ...again,
    { acct_status_type: status_type.accounting_on, event_timestamp: noon + 3000 },
  ]
}

/** The sessions, usage and sums of a gateway, its account and its package. */
async function storedOf({ ids }: Guest) {
  const { rows } = await admin.query<Record<'sessions' | 'usage' | 'days', object[]>>(
    `select
       (select json_agg(s order by s.acct_session_id, s.started_at) from (
         select acct_session_id, started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down, termination_cause,
           stop_inferred, account_id = $2 as of_account from radius_sessions where gateway_id = $1) as s) as sessions,
       (select json_agg(u order by u.starts_at) from (
         select starts_at, seconds_used, bytes_used from usage_periods
         where account_id = $2 and (seconds_used, bytes_used) <> (0, 0)) as u) as usage,
       (select json_agg(d order by d.day) from (
         select day, sessions, seconds, bytes_up, bytes_down from session_days
         where package_id = $3 and (sessions, seconds, bytes_up, bytes_down) <> (0, 0, 0, 0)) as d) as days`,
    ids,
  )
  return rows[0]
}

/** Removes all that the gateway has reported, except for the offset of its clock. */
const forget = ({ ids }: Guest) =>
  admin.query(
    `with sessions as (delete from radius_sessions where gateway_id = $1),
       usage as (delete from usage_periods where account_id = $2),
       days as (delete from session_days where package_id = $3)
     update gateways set boxes = jsonb_build_object(nas_identifier,
       jsonb_build_object('behind_ms', 0, 'doubted_since', null, 'restarted_at', null)) where id = $1`,
    ids,
  )

function shuffled<T>(values: T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

test(
  'reports in any order, each twice, give the same sessions, sums and quota',
  { timeout: 7_200_000 },
  async ({ task }) => {
    const { foyer, editor } = radius
    const noon = Math.floor(Date.now() / 1000) - 20 * hour_s
    const { id: property_id } = await foyer.property(editor)
    // Midnight is in the middle of the long session.
    const zone = zoneWithMidnightAt(noon + 5.5 * hour_s)
    await admin.query('update properties set time_zone = $2 where id = $1', [property_id, zone])
    const guests: Guest[] = []
    while (guests.length < gateways) guests.push(await openGuest(property_id))

    const [first] = guests
    if (!first) throw new Error('no gateway')
    await forget(first)
    for (const each of reportsOf(first, noon)) await first.gateway.report(each)
    const expected = await storedOf(first)
    expect(expected?.sessions).toMatchObject([
      { acct_session_id: 'again', bytes_down: 0, termination_cause: 'Idle-Timeout', of_account: true },
      { acct_session_id: 'again', bytes_down: 0, termination_cause: 'Idle-Timeout', of_account: true },
      { acct_session_id: 'long', bytes_down: 170e9, termination_cause: 'User-Request', of_account: true },
      { acct_session_id: 'open', bytes_down: 50e6, termination_cause: 'NAS-Reboot', of_account: true },
    ])
    expect(expected?.days).toHaveLength(2)
    const used = (expected?.usage ?? []) as { bytes_used: number }[]
    expect(used.reduce((sum, { bytes_used }) => sum + bytes_used, 0)).toBe(187e9 + 55e6 + 3e6)

    let [next, sent] = [0, 0]
    await Promise.all(
      guests.map(async (guest) => {
        const reports = reportsOf(guest, noon)
        while (next < rounds) {
          const round = ++next
          const random = chance(round)
          await forget(guest)
          const many = shuffled([...reports, ...reports], random)
          sent += many.length
          while (many.length > 0) {
            const some = many.splice(0, 1 + Math.floor(random() * together_max))
            // An identical packet would count as a repetition and get the answer of an earlier round.
            await Promise.all(some.map((each) => guest.gateway.report({ ...each, proxy_state: `round ${round}` })))
          }
          expect(await storedOf(guest), `round ${round}`).toEqual(expected)
        }
      }),
    )
    const orders = `${rounds} orders of ${sent / rounds} reports, ${gateways} gateways at once`
    task.meta.figures = `${orders}: the same sessions, sums and quota each time`
  },
)

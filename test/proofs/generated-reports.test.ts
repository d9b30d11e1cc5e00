// Generated reports: accounting as real gateways send it (gigawords only if they are not 0, missing and changing attributes,
// duplicates, late and reordered reports, wrong clocks, restarts, midnight, nights of clock changes), in five time zones. Sessions,
// their parts by day, daily sums and quotas agree.
import fc from 'fast-check'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress } from '#test/foyer.ts'
import { textIn, type RadiusRequest } from '#test/radius-client.ts'
import { letInEarlier, withRadius, type TestRadius } from '#test/radius.ts'
import { full, seed } from './proof.ts'

let radius: TestRadius
let admin: Client
withRadius((opened) => {
  radius = opened
  ;({ admin } = radius)
})

const zones = ['America/Los_Angeles', 'Pacific/Auckland', 'Pacific/Kiritimati', 'Europe/London', 'Asia/Kathmandu']
const streams = full ? 200 : 25
const report_every_s = 600

interface Stream {
  zone: string
  clock_off_s: number
  is_stamped: boolean
  /** For each session: the number of reports after the start, the bytes down in each interval, and whether it stops. */
  sessions: { reports: number; bytes: number; ends: boolean }[]
  /** The fault of each report, repeated in turn. */
  faults: ('none' | 'twice' | 'swapped' | 'no class' | 'no name' | 'other class')[]
  restarts: boolean
}
const stream: fc.Arbitrary<Stream> = fc.record({
  zone: fc.constantFrom(...zones),
  clock_off_s: fc.constantFrom(0, 0, -23 * 3600, 20 * 3600, -1_700_000_000),
  is_stamped: fc.boolean(),
  sessions: fc.array(
    fc.record({ reports: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 0, max: 3e9 }), ends: fc.boolean() }),
    { minLength: 1, maxLength: 3 },
  ),
  faults: fc.array(fc.constantFrom('none', 'twice', 'swapped', 'no class', 'no name', 'other class'), {
    minLength: 3,
    maxLength: 12,
  }),
  restarts: fc.boolean(),
})

/** Counters as hostapd sends them: gigawords only if they are not 0. */
const counted = (bytes: number): RadiusRequest => ({
  acct_input_octets: Math.floor(bytes / 10) % 2 ** 32,
  acct_output_octets: bytes % 2 ** 32,
  ...(bytes >= 2 ** 32 && { acct_output_gigawords: Math.floor(bytes / 2 ** 32) }),
  ...(bytes / 10 >= 2 ** 32 && { acct_input_gigawords: Math.floor(bytes / 10 / 2 ** 32) }),
})

test(
  'the totals equal what was reported, whatever happens to the reports on their way',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const { foyer, editor } = radius
    let sent = 0
    await fc.assert(
      fc.asyncProperty(stream, async ({ zone, clock_off_s, is_stamped, sessions, faults, restarts }) => {
        const { id: property_id } = await foyer.property(editor)
        await admin.query('update properties set time_zone = $2 where id = $1', [property_id, zone])
        const { gateway } = await radius.gatewayAt(property_id)
        const { id: package_id } = await foyer.package(editor)
        const user_name = `guest-${package_id}`
        const { id: account_id } = await foyer.account(editor, {
          property_id,
          package_id,
          username: user_name,
          password: 'guest password',
        })
        const calling_station_id = aMacAddress()
        const answer = await gateway.access({ user_name, password: 'guest password', calling_station_id })
        expect(answer.code).toBe(code.access_accept)
        const known = { user_name, calling_station_id, class: textIn(answer, attribute.class) ?? '' }
        await letInEarlier(admin, known.class, 24 * 3600)
        const begins_s = Math.floor(Date.now() / 1000) - 20 * 3600
        /** Adds the time of a report, by the gateway's clock, which may be wrong. */
        const report = (one: RadiusRequest, after_s: number): RadiusRequest => ({
          ...one,
          ...(is_stamped
            ? { event_timestamp: begins_s + after_s + clock_off_s }
            : { acct_delay_time: Math.floor(Date.now() / 1000) - begins_s - after_s }),
        })
        let clock_s = 0
        const reports = sessions.flatMap(({ reports: count, bytes, ends }, n) => {
          const began_s = (clock_s += 900)
          const id = { ...known, acct_session_id: `session ${n}` }
          const of_session = Array.from({ length: count + 1 }, (_, i) => {
            const kind = i === 0 ? status_type.start : i === count && ends ? status_type.stop : status_type.interim
            const seconds = i * report_every_s
            return report(
              { ...id, acct_status_type: kind, acct_session_time: seconds, ...counted(bytes * i) },
              began_s + seconds,
            )
          })
          clock_s += count * report_every_s
          return of_session
        })
        if (restarts) reports.push(report({ acct_status_type: status_type.accounting_on }, clock_s + 60))
        const order = reports.flatMap((each, n): RadiusRequest[] => {
          const fault = faults[n % faults.length]
          const { class: mark, user_name: name, ...unnamed } = each
          if (fault === 'twice') return [each, { ...each, proxy_state: 'again' }]
          if (fault === 'no class') return [{ ...unnamed, ...(name !== undefined && { user_name: name }) }]
          if (fault === 'no name') return [{ ...unnamed, ...(mark !== undefined && { class: mark }) }]
          if (fault === 'other class' && mark !== undefined) return [{ ...each, class: 'foyer-999999999' }]
          return [each]
        })
        for (const [n] of order.entries()) {
          const [one, next] = [order[n], order[n + 1]]
          if (faults[n % faults.length] === 'swapped' && one && next) [order[n], order[n + 1]] = [next, one]
        }
        // The first report is not delayed, so that Foyer learns how wrong the gateway's clock is.
        await gateway.report({
          acct_status_type: status_type.accounting_on,
          acct_delay_time: 48 * 3600,
          ...(is_stamped && { event_timestamp: Math.floor(Date.now() / 1000) + clock_off_s }),
        })
        for (const each of order) await gateway.report(each)
        sent += order.length

        const total = sessions.reduce((sum, { reports: count, bytes }) => sum + bytes * count, 0)
        const seconds = sessions.reduce((sum, { reports: count }) => sum + count * report_every_s, 0)
        const { rows } = await admin.query<object>(
          `select
           (select count(*)::integer from radius_sessions where property_id = $1) as sessions,
           (select count(*)::integer from radius_sessions where property_id = $1 and account_id = $2) as of_account,
           (select sum(bytes_down)::float8 from radius_sessions where property_id = $1) as bytes,
           (select sum(seconds)::float8 from radius_sessions where property_id = $1) as seconds,
           (select sum(p.bytes_down)::float8 from radius_sessions s cross join lateral session_parts(s.days) p
            where s.property_id = $1) as bytes_of_parts,
           (select sum(bytes_down)::float8 from session_days where property_id = $1) as bytes_of_days,
           (select sum(seconds)::float8 from session_days where property_id = $1) as seconds_of_days,
           (select sum(sessions)::integer from session_days where property_id = $1) as sessions_of_days,
           (select sum(sessions)::integer from property_hours where property_id = $1) as sessions_of_hours,
           (select sum(seconds_used)::float8 from usage_periods where account_id = $2) as seconds_used,
           (select sum(bytes_used)::float8 - (select sum(bytes_up + bytes_down) from radius_sessions where property_id = $1)::float8
            from usage_periods where account_id = $2) as bytes_used_more,
           (select count(distinct guest)::integer from guest_days where property_id = $1) as guests,
           not exists (
             select from (
               select p.day, sum(p.seconds) as seconds, sum(p.bytes_up) as up, sum(p.bytes_down) as down
               from radius_sessions s cross join lateral session_parts(s.days) p where s.property_id = $1 group by 1) a
             full join (
               select day, sum(seconds) as seconds, sum(bytes_up) as up, sum(bytes_down) as down
               from session_days where property_id = $1 group by 1) b using (day)
             where (coalesce(a.seconds, 0), coalesce(a.up, 0), coalesce(a.down, 0))
               is distinct from (coalesce(b.seconds, 0), coalesce(b.up, 0), coalesce(b.down, 0))) as days_agree,
           not exists (select from radius_sessions where property_id = $1
             and (started_at > now() or last_seen_at > now() or stopped_at > now())) as is_past`,
          [property_id, account_id],
        )
        expect(rows[0]).toEqual({
          sessions: sessions.length,
          of_account: sessions.length,
          bytes: total,
          seconds,
          bytes_of_parts: total,
          bytes_of_days: total,
          seconds_of_days: seconds,
          sessions_of_days: sessions.length,
          sessions_of_hours: sessions.length,
          seconds_used: seconds,
          bytes_used_more: 0,
          guests: 1,
          days_agree: true,
          is_past: true,
        })
      }),
      { seed, numRuns: streams, endOnFailure: true },
    )
    task.meta.figures = `${streams} streams of ${sent} reports in ${zones.length} zones, seed ${seed}: all agree`
  },
)

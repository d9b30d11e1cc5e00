// Retention: what a report counts stays the same when the single sessions and guests of its first days are forgotten, and it says
// since when they stand.
import { addDays } from '#contract/days.ts'
import { parse } from 'csv-parse/sync'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/reports.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { forgetGuests } from '#server/sessions/forget-guests.ts'
import { forgetSums } from '#server/sessions/forget-sums.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import type { Reported } from '#server/sessions/record.ts'
import { localDay } from '#server/time/zones.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const kept = { sessions_kept_ms: 365 * day_ms, attempts_kept_ms: 365 * day_ms }
/** Where it is noon now: visits within hours of each other are on one day. Signs of these zones are the other way round. */
const west_h = new Date().getUTCHours() - 12
const zone = `Etc/GMT${west_h < 0 ? west_h : `+${west_h}`}`
const [click_through, email] = [1, 5]

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api' } })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

/** A property at which guests were online for an hour and a gigabyte each. */
async function house(editor: Person) {
  const { id: property_id, name } = await foyer.property(editor, { time_zone: zone })
  const { id: gateway_id } = await foyer.gateway(editor, { property_id })
  const customer_id = editor.user.customer.id
  const caller = callerOfGateway({ customer_id, id: gateway_id, property_id, name: 'gateway' })
  return {
    async visit(mac_address: string, at: number, auth_method_id: number | undefined = click_through) {
      const { rows } = await admin.query<{ id: number }>(
        `insert into radius_authorisations (customer_id, gateway_id, property_id, auth_method_id, identifier, mac_address, accepted,
           reason, created_at) values ($1, $2, $3, $4, $5::text, $5::text::macaddr, true, 'accepted', $6) returning id`,
        [customer_id, gateway_id, property_id, auth_method_id, mac_address, new Date(at)],
      )
      const report = (kind: 'start' | 'stop', ended_at: number, bytes_down: number): Reported['record'] => ({
        kind,
        session_key: `${mac_address} ${at}`,
        acct_session_id: `${mac_address} ${at}`,
        authorisation_id: Number(rows[0]?.id),
        username: name,
        mac_address,
        calling_station: null,
        box_session: null,
        ip: null,
        ipv6: [],
        box: 'box',
        at: ended_at,
        stamped_at: ended_at,
        received_at: ended_at,
        held_ms: 0,
        seconds: (ended_at - at) / 1000,
        bytes_up: 0,
        bytes_down,
        up_is_whole: true,
        down_is_whole: true,
        cause: 'User-Request',
      })
      await foyer.services.tenancy.enter(caller, 'write', (scope) =>
        storeReports(scope, { property_id, time_zone: zone }, [
          { gateway_id, record: report('start', at, 0) },
          { gateway_id, record: report('stop', at + hour_ms, 1e9) },
        ]),
      )
    },
  }
}

test('sessions that are forgotten are counted by the sums of their days', async () => {
  const editor = await foyer.customer()
  const { visit } = await house(editor)
  const now = Date.now()
  const [one, other] = [aMacAddress(), aMacAddress()]
  const edge = now - kept.sessions_kept_ms
  await visit(one, now - 400 * day_ms)
  await visit(one, now - 380 * day_ms)
  await visit(one, now - 380 * day_ms + 2 * hour_ms, email)
  await visit(other, now - 380 * day_ms)
  // On the day in whose middle the retention ends.
  await visit(one, edge - 1.5 * hour_ms)
  await visit(one, edge + 0.5 * hour_ms)
  await visit(other, now - 10 * day_ms)
  // Before the range.
  await visit(other, now - 500 * day_ms)

  const range = {
    date_range: 'custom',
    start_date: localDay(now - 401 * day_ms, zone),
    end_date: localDay(now, zone),
  } as const
  const run = (kind: 'session' | 'free_wifi', sort: '-start' | 'day') =>
    foyer.get(contract.run, { kind, ...range, sort, columns: ['start'] }, editor)
  const asked = async () => ({ sessions: await run('session', '-start'), days: await run('free_wifi', 'day') })
  const before = await asked()
  expect(before.sessions.meta).toMatchObject({ total: 7, totals: { sessions: 7 }, sessions_since: null })
  expect(before.days.data).toMatchObject([
    { unique_guests: 1, new_guests: 1 },
    // One of whom was there before the range.
    { unique_guests: 2, new_guests: 0 },
    ...before.days.data.slice(2),
  ])

  await forgetGuests(foyer.services.tenancy, kept)
  const after = await asked()
  const since = addDays(localDay(edge, 'Pacific/Kiritimati'), 1)
  expect(after.sessions.meta).toMatchObject({ total: 2, sessions_since: since })
  expect(after.sessions.data).toHaveLength(2)
  const { identifiers: _identifiers, ...totals } = before.sessions.meta.totals
  expect(after.sessions.meta.totals).toMatchObject(totals)
  expect(after.sessions.meta.series).toEqual(before.sessions.meta.series)
  expect(after.days.data).toEqual(before.days.data)
  expect(after.days.meta).toMatchObject({ sessions_since: since })
  expect(after.days.meta.series).toEqual(before.days.meta.series)
  const recent = await foyer.get(contract.run, { ...range, start_date: since, columns: ['start'] }, editor)
  expect(recent.meta).toMatchObject({ sessions_since: null, totals: { sessions: recent.meta.total } })

  const { bytes } = await foyer.file(
    contract.exportFile,
    { name: 'Usage', kind: 'session', ...range, columns: ['start'], format: 'csv' },
    editor,
  )
  expect(parse(bytes, { bom: true, columns: true })).toHaveLength(2)
})

test('sums that are forgotten are missing from reports, which say since when they stand', async () => {
  const editor = await foyer.customer()
  const { visit } = await house(editor)
  const neighbour = await foyer.customer()
  const now = Date.now()
  await visit(aMacAddress(), now - 800 * day_ms)
  await visit(aMacAddress(), now - 790 * day_ms)
  await visit(aMacAddress(), now - 10 * day_ms)
  await forgetGuests(foyer.services.tenancy, kept)
  const range = {
    date_range: 'custom',
    start_date: localDay(now - 810 * day_ms, zone),
    end_date: localDay(now, zone),
  } as const
  const run = (who = editor) => foyer.get(contract.run, { ...range, columns: ['start'] }, who)
  expect((await run()).meta).toMatchObject({ totals: { sessions: 3, usage_gb: 3 }, sums_since: null })

  const sums_kept_ms = 730 * day_ms
  await forgetSums(foyer.services.tenancy, { sums_kept_ms })
  const { rows } = await admin.query<{ since: string }>(
    `select ((now() - interval '730 days')::date - 1)::text as since`,
  )
  const since = rows[0]?.since
  expect((await run()).meta).toMatchObject({ totals: { sessions: 1, usage_gb: 1 }, sums_since: since })
  // Nothing of theirs was deleted.
  expect((await run(neighbour)).meta).toMatchObject({ sums_since: null })
  const recent = await foyer.get(contract.run, { ...range, start_date: since ?? '', columns: ['start'] }, editor)
  expect(recent.meta).toMatchObject({ sums_since: null })
  const { rows: left } = await admin.query(
    `select 'day' as what from session_days where customer_id = $1 and day < $2
     union all select 'guests' from guest_day_sums where customer_id = $1 and day < $2
     union all select 'hour' from property_hours where customer_id = $1 and hour < $2::date - 1`,
    [editor.user.customer.id, since],
  )
  expect(left).toEqual([])
  const { bytes } = await foyer.file(
    contract.exportFile,
    { name: 'Usage', kind: 'session', ...range, columns: ['start'], format: 'xls' },
    editor,
  )
  expect(Buffer.from(bytes).toString('latin1')).toContain(`kept since ${since}; the days before are empty`)
})

test('what a holder has used in all stays the same when its former days are added up', async () => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const { id: package_id } = await foyer.package(editor)
  const account = (username: string) =>
    foyer.account(editor, { property_id, package_id, username, password: 'guest password' })
  const { id: one } = await account('one')
  const { id: other } = await account('other')
  await admin.query(
    `insert into usage_periods (customer_id, account_id, starts_at, seconds_used, bytes_used)
     select $1, a.id, now() - interval '1 day' * d.ago, d.ago, d.ago * 1000
     from unnest($2::integer[]) as a(id), unnest(array[900, 75, 63, 61, 3]) as d(ago) where a.id = $3 or d.ago < 70`,
    [editor.user.customer.id, [one, other], one],
  )
  const used = async () => {
    const { rows } = await admin.query<{ account_id: number; ago: number | null; seconds: number; bytes: number }>(
      `select account_id, case when starts_at > '-infinity' then round(extract(epoch from now() - starts_at) / 86400)::integer end as ago,
         seconds_used::integer as seconds, bytes_used::integer as bytes
       from usage_periods where account_id = any($1) order by account_id, starts_at`,
      [[one, other]],
    )
    return rows
  }
  await forgetSums(foyer.services.tenancy, { sums_kept_ms: 730 * day_ms })
  const folded = [
    { account_id: one, ago: null, seconds: 1038, bytes: 1_038_000 },
    { account_id: one, ago: 61, seconds: 61, bytes: 61_000 },
    { account_id: one, ago: 3, seconds: 3, bytes: 3000 },
    { account_id: other, ago: null, seconds: 63, bytes: 63_000 },
    { account_id: other, ago: 61, seconds: 61, bytes: 61_000 },
    { account_id: other, ago: 3, seconds: 3, bytes: 3000 },
  ]
  expect(await used()).toEqual(folded)
  await forgetSums(foyer.services.tenancy, { sums_kept_ms: 730 * day_ms })
  expect(await used()).toEqual(folded)
  // What is reported late is added to the same.
  await admin.query(
    `insert into usage_periods (customer_id, account_id, starts_at, seconds_used, bytes_used)
     values ($1, $2, now() - interval '70 days', 1, 10)`,
    [editor.user.customer.id, other],
  )
  await forgetSums(foyer.services.tenancy, { sums_kept_ms: 730 * day_ms })
  expect(await used()).toEqual(
    folded.map((one_row) =>
      one_row.account_id === other && one_row.ago === null ? { ...one_row, seconds: 64, bytes: 63_010 } : one_row,
    ),
  )
})

test('steps that begin in the middle of a holder’s days add up the same', async () => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const { id: package_id } = await foyer.package(editor)
  const { id } = await foyer.account(editor, { property_id, package_id, username: 'guest', password: 'guest password' })
  await admin.query(
    `insert into usage_periods (customer_id, account_id, starts_at, seconds_used, bytes_used)
     select $1, $2, now() - interval '1 day' * (4000 - n), 1, 10 from generate_series(1, 30) as n`,
    [editor.user.customer.id, id],
  )
  const foldAfter = async (after: string) => {
    const { rows } = await admin.query<{ last: string | null }>('select door_fold_usage(86400 * 3650, $1, 7) as last', [
      after,
    ])
    return rows[0]?.last ?? null
  }
  for (let last = await foldAfter('0'); last !== null; last = await foldAfter(last));
  const { rows } = await admin.query(
    'select seconds_used::integer, bytes_used::integer from usage_periods where account_id = $1',
    [id],
  )
  expect(rows).toEqual([{ seconds_used: 30, bytes_used: 300 }])
})

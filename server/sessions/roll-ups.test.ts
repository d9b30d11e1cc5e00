// Roll-ups: the sums that reports are read from agree with the sessions, and guests are counted under pseudonyms.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as guests from '#contract/guests.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import { attribute, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn } from '#test/radius-client.ts'
import { letInEarlier, showClock, withRadius, type TestRadius } from '#test/radius.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

const rowsOf = async (text: string, ...values: unknown[]) => (await admin.query<object>(text, values)).rows

const hour_s = 3600
/** A recent midnight of some zone, whatever the time is. */
const midnight_s = Math.floor(Date.now() / 1000 / hour_s) * hour_s - hour_s
function zoneOfMidnight() {
  const hour = (midnight_s % 86_400) / hour_s
  return hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`
}

async function place() {
  const group = await foyer.group(editor)
  const property = await foyer.property(editor, { group_id: group.id })
  await admin.query('update properties set time_zone = $2 where id = $1', [property.id, zoneOfMidnight()])
  const { gateway } = await radius.gatewayAt(property.id)
  await showClock(gateway)
  const { id: package_id } = await foyer.package(editor)
  return { group, property, gateway, package_id }
}
type Place = Awaited<ReturnType<typeof place>>

async function account({ property, gateway, package_id }: Place, mac = aMacAddress()) {
  const user_name = `guest ${mac}`
  const password = 'guest password'
  await foyer.account(editor, { property_id: property.id, package_id, username: user_name, password })
  const known = { user_name, calling_station_id: mac }
  const mark = textIn(await gateway.access({ ...known, password }), attribute.class) ?? ''
  await letInEarlier(admin, mark, 24 * hour_s)
  return { ...known, class: mark }
}

test('days by group and category, hours and guests agree with the sessions, whichever report comes first', async () => {
  const site = await place()
  const [one, other] = [await account(site), await account(site)]
  const started = midnight_s - 600
  const report = (who: object, acct_session_id: string, kind: number, at: number, began: number, octets: number) =>
    site.gateway.report({
      ...who,
      acct_session_id,
      acct_status_type: kind,
      event_timestamp: at,
      acct_session_time: at - began,
      acct_input_octets: octets,
      acct_output_octets: 3 * octets,
    })
  // The second day's report comes before the first day's.
  await report(one, 'a', status_type.interim, midnight_s, started, 900)
  await report(one, 'a', status_type.interim, started + 300, started, 400)
  await report(one, 'b', status_type.start, midnight_s, midnight_s, 0)
  await report(other, 'c', status_type.start, midnight_s, midnight_s, 0)

  const parts = await rowsOf(
    `select p.day, sum(p.seconds)::integer as seconds, sum(p.bytes_up)::integer as up, sum(p.bytes_down)::integer as down
     from radius_sessions s cross join lateral session_parts(s.days) p where s.property_id = $1 group by 1 order by 1`,
    site.property.id,
  )
  const days = await rowsOf(
    `select day, sum(seconds)::integer as seconds, sum(bytes_up)::integer as up, sum(bytes_down)::integer as down
     from session_days where property_id = $1 and group_id = $2 and mac_category_id is null group by 1 order by 1`,
    site.property.id,
    site.group.id,
  )
  expect(days).toMatchObject([
    { seconds: 300, up: 400, down: 1200 },
    { seconds: 300, up: 500, down: 1500 },
  ])
  expect(parts).toEqual(days)
  const seen = await rowsOf(
    `select day, count(distinct guest)::integer as guests, count(*) filter (where first_seen)::integer as first
     from guest_days where property_id = $1 group by 1 order by 1`,
    site.property.id,
  )
  expect(seen).toMatchObject([
    { guests: 1, first: 1 },
    { guests: 2, first: 1 },
  ])
  const hours = await rowsOf(
    'select hour, sessions from property_hours where property_id = $1 and sessions > 0 order by hour',
    site.property.id,
  )
  expect(hours).toMatchObject([{ sessions: 1 }, { sessions: 2 }])
})

test('a device that a later report tells whose it is was no guest of its own', async () => {
  const site = await place()
  const { property, gateway } = site
  const now = Math.floor(Date.now() / 1000)
  const report = (asked: object, acct_status_type: number, acct_session_time: number) =>
    gateway.report({ acct_status_type, acct_session_time, event_timestamp: now - 60 + acct_session_time, ...asked })
  const guestsSeen = () =>
    rowsOf(
      `select count(*)::integer as rows, count(distinct t.guest)::integer as guests, count(t.auth_method_id)::integer as by_a_way,
         count(*) filter (where t.first_seen)::integer as first,
         (select count(*)::integer from guest_first_days as f where f.property_id = $1) as ever
       from guest_days as t where t.property_id = $1`,
      property.id,
    )
  // The box reports the device before it has asked for it, and only then by whose leave.
  const mac = aMacAddress()
  await report({ calling_station_id: mac, acct_session_id: 'late' }, status_type.start, 0)
  expect(await guestsSeen()).toEqual([{ rows: 1, guests: 1, by_a_way: 0, first: 1, ever: 1 }])
  const known = await account(site, mac)
  await report({ ...known, acct_session_id: 'late' }, status_type.interim, 30)
  expect(await guestsSeen()).toEqual([{ rows: 1, guests: 1, by_a_way: 1, first: 1, ever: 1 }])
  // One that names no device at first is counted once it does.
  const other = await account(site)
  await report({ acct_session_id: 'unnamed' }, status_type.start, 0)
  await report({ ...other, acct_session_id: 'unnamed' }, status_type.interim, 30)
  expect(await guestsSeen()).toEqual([{ rows: 2, guests: 2, by_a_way: 2, first: 2, ever: 2 }])
})

test('the peak online counts those who were online at the same time', async () => {
  const site = await place()
  const began = Math.floor(Date.now() / 1000) - 60
  const session = async (from: number, until: number) => {
    const session_ids = { calling_station_id: aMacAddress(), acct_session_id: aMacAddress() }
    await site.gateway.report({
      ...session_ids,
      acct_status_type: status_type.stop,
      event_timestamp: began + until,
      acct_session_time: until - from,
    })
  }
  // Two at once, and a third who comes at the moment both leave.
  await session(0, 20)
  await session(10, 20)
  await session(20, 30)
  await countHours(foyer.services.tenancy)
  const [most] = await rowsOf(
    'select max(online) as online from property_hours where property_id = $1',
    site.property.id,
  )
  expect(most).toEqual({ online: 2 })
})

test('hours in which no job ran are counted when one does, as far back as that was', async () => {
  const site = await place()
  await countHours(foyer.services.tenancy)
  const hours_ago = (hours: number) => `date_trunc('hour', now(), 'UTC') - interval '${hours} hours'`
  const [{ id: gateway_id } = { id: 0 }] = (
    await admin.query<{ id: number }>('select id from gateways where property_id = $1', [site.property.id])
  ).rows
  const at = [editor.user.customer.id, gateway_id, site.property.id]
  // For two days nobody counted: one guest stayed from hour 40 to 38, two came in hour 39 for a while; two were refused in hour 30.
  await admin.query("update hour_ledgers set counted_until = now() - interval '48 hours' where customer_id = $1", [
    at[0],
  ])
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at, stopped_at)
     select $1, $2, $3, 'missed ' || n, 'missed ' || n, began, ended, ended from (values
       (1, ${hours_ago(40)}, ${hours_ago(38)} + interval '5 minutes'),
       (2, ${hours_ago(39)} + interval '10 minutes', ${hours_ago(39)} + interval '20 minutes'),
       (3, ${hours_ago(39)} + interval '15 minutes', ${hours_ago(39)} + interval '30 minutes')) as s(n, began, ended)`,
    at,
  )
  await admin.query(
    `insert into radius_authorisations (customer_id, gateway_id, property_id, accepted, reason, created_at)
     select $1, $2, $3, false, 'wrong_password', ${hours_ago(30)} + n * interval '1 minute' from generate_series(1, 2) n`,
    at,
  )
  await countHours(foyer.services.tenancy)
  const counted = () =>
    rowsOf(
      `select extract(epoch from date_trunc('hour', now(), 'UTC') - hour)::integer / 3600 as ago, online, tries, refused
       from property_hours where property_id = $1 and hour < now() - interval '2 hours' order by hour`,
      site.property.id,
    )
  const expected = [
    { ago: 40, online: 1, tries: 0, refused: 0 },
    { ago: 39, online: 3, tries: 0, refused: 0 },
    { ago: 38, online: 1, tries: 0, refused: 0 },
    { ago: 30, online: 0, tries: 2, refused: 2 },
  ]
  expect(await counted()).toEqual(expected)
  await countHours(foyer.services.tenancy)
  expect(await counted()).toEqual(expected)
  const [whole] = await rowsOf(
    `select online from customer_hours where customer_id = $1 and hour = ${hours_ago(39)}`,
    editor.user.customer.id,
  )
  expect(whole).toEqual({ online: 3 })
})

test('an erased guest is still counted, but can no longer be identified', async () => {
  const site = await place()
  const who = await account(site)
  const [guest] = (
    await admin.query<{ id: number }>(
      `insert into guests (customer_id, property_id, name) values ($1, $2, 'Ada') returning id::integer`,
      [editor.user.customer.id, site.property.id],
    )
  ).rows
  const report = (acct_session_id: string) =>
    site.gateway.report({ ...who, acct_session_id, acct_status_type: status_type.stop, acct_session_time: 0 })
  const ofGuest = `update radius_authorisations set guest_id = $2, account_id = null where property_id = $1`
  await admin.query(ofGuest, [site.property.id, guest?.id])
  await report('first')
  const counted = () => rowsOf('select guest from guest_first_days where property_id = $1', site.property.id)
  const before = await counted()
  expect(before).toHaveLength(1)
  await foyer.get(guests.erase, { ids: [guest?.id ?? 0] }, editor)
  const after = await counted()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  expect(await rowsOf('select guest from guest_days where property_id = $1', site.property.id)).toEqual(after)
})

// Dashboard, as callers use it: what needs attention, since when, and what an installation still lacks.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as dashboard from '#contract/dashboard.ts'
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import * as vouchers from '#contract/vouchers.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { keepNights } from '#server/billing/keep-nights.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import { keepStates } from '#server/sessions/property-states.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

test('a new installation has nothing yet, and two rows of 4 weeks that end today', async () => {
  const editor = await foyer.customer()
  const { data } = await foyer.get(dashboard.get, {}, editor)
  expect(data).toMatchObject({ properties: 0, voucher_batches: 0, gateways: 0, ever_online: false, attention: [] })
  expect([data.days.length, data.days_before.length]).toEqual([28, 28])
  const all = [...data.days_before, ...data.days].map(({ day }) => day)
  expect(all).toEqual(all.toSorted())
  expect(new Set(all).size).toBe(56)
  const weekdaysOf = (days: { day: string }[]) => days.map(({ day }) => new Date(day).getUTCDay())
  expect(weekdaysOf(data.days_before)).toEqual(weekdaysOf(data.days))
})

test('a first gateway is awaited until it is heard, and who was let in is told apart from who is online', async () => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const first = async () => {
    const { ever_heard, ever_accepted, ever_online, awaited_gateway } = (await foyer.get(dashboard.get, {}, editor))
      .data
    return { ever_heard, ever_accepted, ever_online, awaited: awaited_gateway?.name ?? null }
  }
  const nothing = { ever_heard: false, ever_accepted: false, ever_online: false, awaited: null }
  expect(await first()).toEqual(nothing)
  const gateway = await foyer.gateway(editor, { property_id, name: 'Lobby' })
  expect(await first()).toEqual({ ...nothing, awaited: 'Lobby' })
  await admin.query('update gateways set last_seen_at = now() where id = $1', [gateway.id])
  // A second one that is not heard is no first one.
  await foyer.gateway(editor, { property_id, name: 'Annex' })
  expect(await first()).toEqual({ ...nothing, ever_heard: true })
  await admin.query(
    `insert into radius_authorisations (customer_id, property_id, gateway_id, identifier, accepted, reason)
     select customer_id, property_id, id, 'ada', true, 'accepted' from gateways where id = $1`,
    [gateway.id],
  )
  expect(await first()).toEqual({ ...nothing, ever_heard: true, ever_accepted: true })
})

/** Takes some codes of a batch back. */
async function takeBack(voucher_batch_id: number, count: number, editor: Person) {
  const { data } = await foyer.get(vouchers.list, { params: { voucher_batch_id } }, editor)
  await foyer.get(vouchers.deactivate, { ids: data.slice(0, count).map(({ id }) => id) }, editor)
}

test('a draft, a property without a portal and a batch that runs out need attention, each since its own time', async () => {
  const editor = await foyer.customer()
  const draft = (await foyer.get(properties.create, { name: 'Half done', draft: true }, editor)).data
  const bare = await foyer.property(editor)
  const batch = await foyer.voucherBatch(editor, { property_id: bare.id, quantity: 20 })
  const kinds = async () =>
    (await foyer.get(dashboard.get, {}, editor)).data.attention.map(({ kind, id, property_id, left }) => [
      kind,
      id,
      property_id,
      left,
    ])
  expect(await kinds()).toEqual([['draft_property', draft.id, draft.id, null]])
  await takeBack(batch.id, 16, editor)
  expect((await kinds())[0]).toEqual(['voucher_batch_low', batch.id, bare.id, 4])
  // A newer batch for the same place takes its place.
  await foyer.voucherBatch(editor, { property_id: bare.id, package_id: batch.package.id, quantity: 20 })
  expect((await kinds()).map(([kind]) => kind)).not.toContain('voucher_batch_low')
  const { attention } = (await foyer.get(dashboard.get, {}, editor)).data
  for (const { since } of attention) expect(Date.parse(since)).toBeLessThanOrEqual(Date.now() + 60_000)
})

test('people of a property see the attention and the newest accounts of their own alone', async () => {
  const editor = await foyer.customer()
  const [own, other] = [await foyer.property(editor), await foyer.property(editor)]
  await foyer.get(accounts.create, { name: 'Own guest', property_id: own.id }, editor)
  await foyer.get(accounts.create, { name: 'Other guest', property_id: other.id }, editor)
  for (const { id } of [own, other]) {
    const batch = await foyer.voucherBatch(editor, { property_id: id, quantity: 20 })
    await admin.query('update voucher_batches set redeemed = 16 where id = $1', [batch.id])
  }
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: own.id })
  const { data } = await foyer.get(dashboard.get, {}, desk)
  expect(data.newest_accounts.map(({ name }) => name)).toEqual(['Own guest'])
  expect(new Set(data.attention.map(({ property_id }) => property_id))).toEqual(new Set([own.id]))
  expect(data.properties).toBe(1)
})

const read = async (who: Person) => (await foyer.get(dashboard.get, {}, who)).data

/** Waits if the hour is about to end: figures must be counted and read within the same hour. */
async function awayFromTheHour() {
  const left_ms = 3_600_000 - (Date.now() % 3_600_000)
  if (left_ms < 15_000) await sleep(left_ms)
}

/** A property with one gateway and the given numbers of open sessions and sign-in attempts. */
async function busyPlace(
  editor: Person,
  { online, refused, accepted }: Record<'online' | 'refused' | 'accepted', number>,
) {
  const property = await foyer.property(editor)
  const gateway = await foyer.gateway(editor, { property_id: property.id })
  const at = [editor.user.customer.id, gateway.id, property.id]
  await admin.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
     select $1, $2, $3, n::text, n::text, now(), now() from generate_series(1, $4) as n`,
    [...at, online],
  )
  await admin.query(
    `insert into radius_authorisations (customer_id, gateway_id, property_id, accepted, reason)
     select $1::integer, $2::integer, $3::integer, n > $4, case when n > $4 then 'accepted' else 'wrong_password' end
       from generate_series(1, $5) as n
     union all select $1::integer, $2::integer, $3::integer, false, 'unknown_device' from generate_series(1, 50)`,
    [...at, refused, refused + accepted],
  )
  return { property, gateway }
}
const aWeekAgo = (property_id: number, { online, tries, refused }: Record<'online' | 'tries' | 'refused', number>) =>
  admin.query(
    `with counted as (
       insert into property_hours (customer_id, property_id, hour, online, tries, refused)
       select customer_id, id, date_trunc('hour', now(), 'UTC') - interval '7 days', $2, $3, $4 from properties where id = $1
       returning *)
     insert into customer_hours as t (customer_id, hour, online) select customer_id, hour, online from counted
     on conflict (customer_id, hour) do update set online = t.online + excluded.online`,
    [property_id, online, tries, refused],
  )

test('guests online are compared with the same hour a week ago, and counting twice changes nothing', async () => {
  await awayFromTheHour()
  const editor = await foyer.customer()
  const { property } = await busyPlace(editor, { online: 7, refused: 2, accepted: 8 })
  expect((await read(editor)).guests_online_before).toBeNull()
  await aWeekAgo(property.id, { online: 12, tries: 20, refused: 1 })
  await countHours(foyer.services.tenancy)
  await countHours(foyer.services.tenancy)
  const { guests_online, guests_online_before, hours } = await read(editor)
  expect([guests_online, guests_online_before]).toEqual([7, 12])
  expect(hours).toHaveLength(7 * 24)
  expect(hours.at(-1)).toMatchObject({ online: 7, before: 12 })
  // For a caller of one property its own hours are added up, with the same result.
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
  expect((await read(desk)).hours).toEqual(hours)
  const { rows } = await admin.query<{ tries: number; refused: number }>(
    `select sum(tries)::integer as tries, sum(refused)::integer as refused from property_hours
     where property_id = $1 and hour > now() - interval '1 day'`,
    [property.id],
  )
  // A device that asks before its guest has seen the sign-in page is no attempt of a guest's.
  expect(rows).toEqual([{ tries: 10, refused: 2 }])
})

test('properties in trouble come first, the worst at the top, compared with a week ago', async () => {
  await awayFromTheHour()
  const editor = await foyer.customer()
  const portal = await foyer.portal(editor)
  const lacking_nothing = { portal_id: portal.id, package_id: (await foyer.package(editor)).id }
  const fine = await busyPlace(editor, { online: 5, refused: 0, accepted: 9 })
  const refusing = await busyPlace(editor, { online: 5, refused: 6, accepted: 4 })
  const empty = await busyPlace(editor, { online: 4, refused: 0, accepted: 9 })
  const silent = await busyPlace(editor, { online: 9, refused: 0, accepted: 9 })
  await aWeekAgo(refusing.property.id, { online: 5, tries: 10, refused: 1 })
  await aWeekAgo(empty.property.id, { online: 40, tries: 10, refused: 1 })
  for (const { property, gateway } of [fine, refusing, empty, silent]) {
    await foyer.get(properties.update, { id: property.id, ...lacking_nothing }, editor)
    await admin.query(`update gateways set last_seen_at = now() where id = $1`, [gateway.id])
  }
  await admin.query("update gateways set last_seen_at = now() - interval '1 hour' where id = $1", [silent.gateway.id])
  await countHours(foyer.services.tenancy)
  await keepStates(foyer.services)
  const { standings, states } = await read(editor)
  expect(states).toEqual([
    { word: 'silent', count: 1 },
    { word: 'refusing', count: 1 },
    { word: 'served', count: 2 },
  ])
  expect(standings).toHaveLength(4)
  expect(standings.at(-1)).toMatchObject({
    id: fine.property.id,
    troubled: false,
    state: { word: 'served' },
    suffering: 0,
  })
  const troubled = standings.filter((property) => property.troubled)
  expect(troubled.map(({ id }) => id)).toEqual([silent.property.id, refusing.property.id, empty.property.id])
  expect(troubled).toMatchObject([
    { state: { word: 'silent' }, suffering: 9, online: 9, online_before: null },
    { state: { word: 'refusing' }, tries: 10, refused: 6, tries_before: 10, refused_before: 1 },
    { online: 4, online_before: 40 },
  ])
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: empty.property.id })
  const own = await read(desk)
  expect([own.guests_online, own.guests_online_before]).toEqual([4, 40])
  expect(own.standings.map(({ id }) => id)).toEqual([empty.property.id])
})

test('what the state of a property says stands in no second list, and a list that is cut says how many more there are', async () => {
  const editor = await foyer.customer()
  const portal = await foyer.portal(editor)
  const { id: package_id } = await foyer.package(editor)
  const house = await foyer.property(editor, { portal_id: portal.id, package_id })
  const gateway = await foyer.gateway(editor, { property_id: house.id })
  await admin.query(`update gateways set refused_at = now(), refused_for = 'wrong_secret' where id = $1`, [gateway.id])
  const batch = await foyer.voucherBatch(editor, { property_id: house.id, package_id, quantity: 20 })
  await admin.query('update voucher_batches set redeemed = 20 where id = $1', [batch.id])
  const now = async () => {
    await keepStates(foyer.services)
    const { standings, attention } = await read(editor)
    return [standings[0]?.state.word, ...attention.map(({ kind }) => kind)]
  }
  expect(await now()).toEqual(['never_heard', 'voucher_batch_low'])
  await admin.query(`update gateways set last_seen_at = now() - interval '1 minute' where id = $1`, [gateway.id])
  expect(await now()).toEqual(['codes_out', 'unanswered_gateway'])
  await foyer.voucherBatch(editor, { property_id: house.id, package_id, quantity: 20 })
  await admin.query(
    `update night_ledgers set begins_on = '2020-01-01', kept_from = '2020-01-01', kept_until = current_date - 4
    where property_id = $1`,
    [house.id],
  )
  expect(await now()).toEqual(['nights_late', 'unanswered_gateway'])
  for (let n = 0; n < 7; n++) await foyer.get(properties.create, { name: `Half done ${n}`, draft: true }, editor)
  const { attention, attention_more } = await read(editor)
  expect([attention.filter(({ kind }) => kind === 'draft_property').length, attention_more]).toEqual([5, 2])
})

test('a property shows its last seven days, and until when its codes last at the present rate', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const untouched = await foyer.property(editor)
  const batch = await foyer.voucherBatch(editor, { property_id: property.id, quantity: 100 })
  await admin.query("update voucher_batches set redeemed = 60, created_at = now() - interval '15 days' where id = $1", [
    batch.id,
  ])
  const today = '(now() at time zone time_zone)::date'
  await admin.query(
    `insert into session_days (customer_id, property_id, day, sessions)
     select customer_id, id, ${today} - ago, 10 - ago from properties cross join unnest(array[0, 2, 6, 7]) as ago where id = $1`,
    [property.id],
  )
  const { rows } = await admin.query<{ until: string }>(
    `select (${today} + 10)::text as until from properties where id = $1`,
    [property.id],
  )
  const { standings } = await read(editor)
  // 60 codes in 15 days are 4 a day: the 40 that are left last for 10 days.
  expect(standings.find(({ id }) => id === property.id)).toMatchObject({
    days: [4, 0, 0, 0, 8, 0, 10],
    codes_left: 40,
    codes_last_until: rows[0]?.until,
    codes_run_out: false,
  })
  expect(standings.find(({ id }) => id === untouched.id)).toMatchObject({
    days: [0, 0, 0, 0, 0, 0, 0],
    codes_left: null,
    codes_last_until: null,
    codes_run_out: false,
  })
  await takeBack(batch.id, 20, editor)
  expect((await read(editor)).standings[0]).toMatchObject({
    id: property.id,
    codes_left: 20,
    codes_run_out: true,
    troubled: true,
  })
})

test('a gateway that is not answered, and one that is not registered, need attention until that is fixed', async () => {
  const editor = await foyer.customer()
  const property = await foyer.property(editor)
  const gateway = await foyer.gateway(editor, { property_id: property.id })
  await admin.query(
    `update gateways set last_seen_at = now() - interval '5 minutes', refused_at = now(), refused_for = 'wrong_secret' where id = $1`,
    [gateway.id],
  )
  const neighbour = await foyer.property(editor)
  await admin.query(
    `insert into unregistered_gateways (customer_id, property_id, address, nas_identifier)
     select $1, unnest($2::integer[]), '192.0.2.7', 'new-box'`,
    [editor.user.customer.id, [property.id, neighbour.id]],
  )
  const kinds = async () => (await read(editor)).attention.map(({ kind, name }) => [kind, name])
  const unanswered = ['unanswered_gateway', gateway.name]
  const unknown = ['unregistered_gateway', 'new-box']
  expect(await kinds()).toEqual(expect.arrayContaining([unanswered, unknown]))
  // Gateways of both properties share the address, but it is one device.
  expect((await kinds()).filter(([kind]) => kind === 'unregistered_gateway')).toHaveLength(1)
  const listed = async () => (await foyer.get(gateways.unregistered, { property_id: property.id }, editor)).data
  expect(await listed()).toMatchObject([{ nas_identifier: 'new-box', address: '192.0.2.7', mac_address: null }])
  await foyer.gateway(editor, { property_id: property.id, nas_identifier: 'new-box' })
  await admin.query('update gateways set last_seen_at = now() where id = $1', [gateway.id])
  expect(await listed()).toEqual([])
  const left = (await kinds()).map(([kind]) => kind)
  expect(left).not.toContain('unanswered_gateway')
  expect(left).not.toContain('unregistered_gateway')
})

test('nights that nobody wrote down within an hour need attention of who bills them', async () => {
  const editor = await foyer.customer()
  const house = await foyer.property(editor)
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: house.id })
  const late = async (who: Person) => (await read(who)).attention.filter(({ kind }) => kind === 'late_nights')
  expect(await late(editor)).toEqual([])
  // The last night ended two hours ago.
  await admin.query(
    `update night_ledgers l set kept_until = local_day(now() - interval '2 hours', p.time_zone) - 4 from properties p
     where p.id = l.property_id and p.id = $1`,
    [house.id],
  )
  const [since] = (
    await admin.query<{ at: string }>(
      `select day_begins(l.kept_until + 2, p.time_zone) as at from night_ledgers l join properties p on p.id = l.property_id
       where p.id = $1`,
      [house.id],
    )
  ).rows
  expect(await late(editor)).toMatchObject([{ id: house.id, property_id: house.id, since: since?.at }])
  expect((await late(editor))[0]?.left).toBeGreaterThanOrEqual(3)
  expect(await late(desk)).toEqual([])
  await keepNights(foyer.services.tenancy)
  expect(await late(editor)).toEqual([])
})

test('a failed report needs attention until its file is made, a paused one until it is resumed', async () => {
  const editor = await foyer.customer()
  const fields = { frequency: 3, start_date: '2026-01-05', recipients: ['books@example.com'] }
  const { data: report } = await foyer.get(scheduled.create, { name: 'Usage by week', ...fields }, editor)
  const run = (outcome: string) =>
    admin.query(
      `insert into report_runs (customer_id, report_id, name, format, outcome, error)
       select customer_id, id, name, format, $2, 'The disk was full' from reports where id = $1`,
      [report.id, outcome],
    )
  const named = async (who: Person) => (await read(who)).attention.map(({ kind, id, name }) => [kind, id, name])
  await run('failed')
  expect(await named(editor)).toEqual([['failed_report', report.id, report.name]])
  // The desk may not read reports, and is shown none.
  expect(await named(await foyer.invited(editor, { user_type_id: 3 }))).toEqual([])
  // It is dealt with, and then it fails again.
  const dealtWith = { kind: 'failed_report', about_id: report.id, as: 'done' } as const
  expect((await foyer.get(dashboard.mark, dealtWith, editor)).data.attention).toEqual([])
  await run('failed')
  expect(await named(editor)).toEqual([['failed_report', report.id, report.name]])
  await run('done')
  expect(await named(editor)).toEqual([])
  await admin.query('update reports set paused_at = now() where id = $1', [report.id])
  expect(await named(editor)).toEqual([['paused_report', report.id, report.name]])
})

test('an entry that is dealt with is gone for all who see it until it happens anew, and one put off until the morning', async () => {
  const editor = await foyer.customer()
  const house = await foyer.property(editor)
  const other = await foyer.property(editor)
  const manager = await foyer.invited(editor, { owner_type: 'Property', owner_id: house.id })
  const viewer = await foyer.invited(editor, { user_type_id: 1 })
  const fails = (property_id: number) =>
    admin
      .query<{ id: number }>(
        `insert into imports (customer_id, property_id, kind, file_name, outcome) values ($1, $2, 'accounts', 'guests.csv', 'failed')
         returning id`,
        [editor.user.customer.id, property_id],
      )
      .then(({ rows }) => rows[0]?.id ?? 0)
  const [about_id, elsewhere] = [await fails(house.id), await fails(other.id)]
  const kind = 'failed_import' as const
  const ids = async (who: Person) => (await read(who)).attention.map(({ id }) => id)
  const mark = (as: 'done' | 'later' | 'open', who: Person, id = about_id) =>
    foyer.ask(dashboard.mark, { kind, about_id: id, as }, who)

  expect(new Set(await ids(editor))).toEqual(new Set([about_id, elsewhere]))
  expect(await ids(manager)).toEqual([about_id])
  // Nobody marks what they do not see, nor who only looks.
  expectRefused(await mark('done', manager, elsewhere), invalid({ about_id: [selectedInvalid('about_id')] }))
  expectRefused(await mark('done', viewer), forbidden())
  expect(await ids(editor)).toContain(elsewhere)

  expect((await mark('done', manager)).body.data).toEqual({ attention: [], attention_more: 0 })
  expect(await ids(editor)).toEqual([elsewhere])
  expect((await mark('open', editor)).status).toBe(200)
  expect(await ids(manager)).toEqual([about_id])
  await mark('done', editor)
  // It fails again.
  const again = await fails(house.id)
  expect(await ids(manager)).toEqual([again])

  await mark('later', manager, again)
  expect(await ids(manager)).toEqual([])
  const { rows } = await admin.query<{ hour: number; days: number }>(
    `select extract(hour from m.put_off_until at time zone c.time_zone)::integer as hour,
       (m.put_off_until at time zone c.time_zone)::date - (now() at time zone c.time_zone)::date as days
     from attention_marks as m join customers as c on c.id = m.customer_id where m.about_id = $1 and m.kind = $2`,
    [again, kind],
  )
  expect(rows).toEqual([{ hour: 6, days: 1 }])
  await admin.query(`update attention_marks set put_off_until = now() - interval '1 second' where about_id = $1`, [
    again,
  ])
  expect(await ids(manager)).toEqual([again])
  // What is no longer the case is gone by itself.
  await admin.query(`update imports set outcome = 'done' where id = $1`, [again])
  expect(await ids(manager)).toEqual([])
})

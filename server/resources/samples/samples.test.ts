// Samples: an invented hotel in a customer of its own. Nothing of it leaves, nothing of anybody else's is touched, and it goes whole.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as auth from '#contract/auth.ts'
import * as billing from '#contract/billing-runs.ts'
import * as dashboard from '#contract/dashboard.ts'
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as samples from '#contract/samples.ts'
import * as sessions from '#contract/sessions.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as webhooks from '#contract/webhooks.ts'
import { refusals } from '#contract/errors.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { forbidden, notFound } from '#server/errors/refused.ts'
import { clearEnded, keepSamplesJob } from './samples.ts'
import { entered, openFoyer, password, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
const keepsSamples = sql`select door_keep_samples()`
beforeAll(async () => {
  foyer = await openFoyer()
})
afterAll(() => foyer.close())

const sampleOf = async (who: Person) => (await foyer.get(samples.sample, {}, who)).data
async function switched(from: Person, user_id: number): Promise<Person> {
  const { access_token: token, user } = (await foyer.get(auth.switchUser, { user_id }, from)).data
  return { ...from, token, user }
}
/** The person in the sample; their former token is used up. */
const into = async (who: Person) => switched(who, (await foyer.get(samples.startSample, {}, who)).data.user_id)

/** How many rows each table holds; of all customers, or of those that a sample of this one has. */
async function rowsOf(customer_id: number | null) {
  const tables = await foyer.query<{ name: string; owned: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id') as owned
     from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
    [],
  )
  expect(tables.length).toBeGreaterThan(80)
  const found: Record<string, number> = {}
  for (const { name, owned } of tables) {
    if (customer_id !== null && !owned) continue
    const of = customer_id === null ? '' : `where customer_id = ${customer_id}`
    const [counted] = await foyer.query<{ n: number }>(`select count(*)::int as n from ${name} ${of}`, [])
    if (counted?.n) found[name] = counted.n
  }
  return found
}

test('a sample is a hotel that lives: rooms, guests, codes, people online, a month of figures, and served', async () => {
  const editor = await foyer.customer()
  expect(await sampleOf(editor)).toEqual({ made_at: null, user_id: null, added: [], changed: 0 })
  const there = await into(editor)
  expect(there.user).toMatchObject({ sample: true, owner_name: 'Sample hotel' })
  const { data: figures } = await foyer.get(dashboard.get, {}, there)
  expect(figures).toMatchObject({ properties: 1, ever_online: true })
  expect(figures.states.filter(({ count }) => count > 0)).toEqual([{ word: 'served', count: 1 }])
  expect(figures.days.reduce((sum, day) => sum + day.sessions, 0)).toBeGreaterThan(20)
  const online = await foyer.get(sessions.list, { filters: { online: [true] } }, there)
  expect(online.meta.total).toBeGreaterThan(0)
  expect((await foyer.get(rooms.list, {}, there)).meta.total).toBe(48)
  expect((await foyer.get(roomGuests.list, {}, there)).meta.total).toBeGreaterThan(15)
  const { data: printed } = await foyer.get(batches.list, {}, there)
  expect(printed).toMatchObject([{ quantity: 40, redeemed: 14 }])
})

test('what people have made in it is named before it goes, and it goes whole; nothing else is touched', async () => {
  const own = await foyer.customer()
  await foyer.property(own)
  const before = await rowsOf(null)
  const mine = await rowsOf(own.user.customer.id)
  const there = await into(own)
  const [house] = (await foyer.get(properties.list, {}, there)).data
  const property_id = house?.id ?? 0
  const room = await foyer.room(there, { property_id, number: 'Garden 1' })
  await foyer.roomGuest(there, { room_id: room.id, first_name: 'Ada', last_name: 'Lovelace' })
  const [month] = (await foyer.query<{ first: string; last: string }>(
    `select (date_trunc('month', current_date) - interval '2 months')::date::text as first,
       (date_trunc('month', current_date) - interval '1 month' - interval '1 day')::date::text as last`,
    [],
  )) as [{ first: string; last: string }]
  const period = { period_start: month.first, period_end: month.last }
  const run = await foyer.get(billing.createRun, { property_ids: [property_id], ...period }, there)
  await foyer.get(billing.approveRun, { id: run.data.id }, there)
  const [online] = (await foyer.get(sessions.list, { filters: { online: [true] } }, there)).data
  await foyer.get(sessions.disconnect, { ids: [online?.id ?? 0], reason: 'Tried' }, there)
  await foyer.services.tenancy.callFunction(keepsSamples)
  const still = await foyer.get(sessions.list, { filters: { online: [true] } }, there)
  expect(still.data.map(({ id }) => id)).not.toContain(online?.id)

  const home = await switched(there, own.user.id)
  const { added, user_id } = await sampleOf(home)
  expect(user_id).toBe(there.user.id)
  expect(added.map(({ name }) => name)).toEqual(expect.arrayContaining(['Garden 1', 'Ada Lovelace']))
  expect(await rowsOf(own.user.customer.id)).toEqual({
    ...mine,
    sessions: 1,
    used_quotas: 1,
    activity: expect.any(Number) as number,
  })
  await foyer.get(samples.endSample, {}, home)
  expect(await rowsOf(there.user.customer.id)).toEqual({})
  expect(await rowsOf(own.user.customer.id)).toMatchObject({ properties: 1, users: 1 })
  const after = await rowsOf(null)
  const changing = ['activity', 'sessions', 'rate_limits', 'used_quotas']
  for (const name of changing) for (const counts of [before, after]) delete counts[name]
  expect(after).toEqual(before)
  expect(await sampleOf(home)).toMatchObject({ made_at: null, user_id: null })
  expectRefused(await foyer.ask(auth.switchUser, { user_id: there.user.id }, home), notFound())
})

test('one that is too large to go at once lets nobody in any more, makes room for the next, and goes by and by', async () => {
  const own = await foyer.customer()
  const there = await into(own)
  const sample = there.user.customer.id
  // Its rows go slowly, as if there were a million of them.
  await foyer.query(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.15); return old; end $$`,
    [],
  )
  await foyer.query(
    `create trigger slow before delete on vouchers for each row when (old.customer_id = ${sample}) execute function slow()`,
    [],
  )
  const home = await switched(there, own.user.id)
  await foyer.get(samples.endSample, {}, home)
  expect(await rowsOf(sample)).not.toEqual({})
  expect(await sampleOf(home)).toMatchObject({ made_at: null, user_id: null })
  expectRefused(await foyer.ask(auth.switchUser, { user_id: there.user.id }, home), notFound())
  expect((await foyer.ask(samples.endSample, {}, home)).status).toBe(200)
  const next = await into(home)
  expect(next.user.customer.id).not.toBe(sample)
  await foyer.query('drop function slow() cascade', [])
  await clearEnded(foyer.services)
  expect(await rowsOf(sample)).toEqual({})
  expect(await foyer.query('select from customers where id = $1', [sample])).toEqual([])
  expect((await foyer.get(auth.me, {}, next)).data.sample).toBe(true)
})

test('a company makes a few samples a day: each has the quotas of a customer', async () => {
  const own = await foyer.customer()
  const start = () => foyer.ask(samples.startSample, {}, own)
  for (let made = 0; made < 5; made++) {
    expect((await start()).status).toBe(200)
    // Opened again, it costs nothing.
    if (made === 0) expect((await start()).status).toBe(200)
    await foyer.get(samples.endSample, {}, own)
  }
  const refused = await start()
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('5 times a day')])
  expect(await sampleOf(own)).toMatchObject({ made_at: null })
})

test('nothing leaves a sample: neither by what is due, nor by what would be linked to it', async () => {
  const there = await into(await foyer.customer())
  const customer_id = there.user.customer.id
  const { tenancy, queue } = foyer.services
  await tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
    queueNotice(scope, queue, {
      kind: 'sign_in_notice',
      recipient_name: 'Ada',
      recipient_email: 'ada@example.com',
      subject: 'Hi',
      text: 'Hi',
    }),
  )
  expect(await foyer.query('select from due_work where customer_id = $1', [customer_id])).toEqual([])
  const [house] = (await foyer.get(properties.list, {}, there)).data
  const property_id = house?.id ?? 0
  const refused = [
    foyer.ask(gateways.create, { property_id, gateway_type_id: 13, ip_address: '192.0.2.1' }, there),
    foyer.ask(users.invite, { name: 'Bob', email: 'bob@example.com', user_type_id: 2 }, there),
    foyer.ask(webhooks.create, { url: 'https://example.com', events: ['stay.began'] }, there),
    foyer.ask(samples.startSample, {}, there),
  ]
  for (const answer of await Promise.all(refused)) expectRefused(answer, forbidden())
  const boxes = await foyer.query<{ ip_address: string | null }>(
    'select ip_address from gateways where customer_id = $1',
    [customer_id],
  )
  expect(boxes.map(({ ip_address }) => ip_address)).toEqual([null])
})

test('a colleague comes into the same sample, and only who belongs to the company stays in it', async () => {
  const own = await foyer.customer()
  const other = await foyer.invited(own)
  const viewer = await foyer.viewer(own)
  expectRefused(await foyer.ask(samples.startSample, {}, viewer), forbidden())
  const theirs = await into(other)
  const there = await into(own)
  expect(there.user.customer.id).toBe(theirs.user.customer.id)
  await foyer.query('update users set active = false where id = $1', [other.user.id])
  expectRefused(await foyer.ask(auth.me, {}, theirs), refusals.unauthenticated)
  expect((await foyer.get(auth.me, {}, there)).data.sample).toBe(true)
})

test('signing in opens what is one’s own, also after the sample', async () => {
  const own = await foyer.customer()
  await into(own)
  const { data } = await foyer.get(auth.login, { email: own.user.email, password })
  expect(entered(data).user).toMatchObject({ id: own.user.id, sample: false })
})

test('it says whose it is, also to whoever works for two companies', async () => {
  const own = await foyer.customer()
  const other = await foyer.customer()
  await foyer.get(users.invite, { name: 'Ana', email: own.user.email, user_type_id: 2 }, other)
  const token = foyer.tokenIn(await foyer.mailTo(own.user.email))
  const { data } = await foyer.get(auth.acceptInvitation, { token, password }, null)
  const there = await into({ ...own, token: entered(data).access_token, user: entered(data).user })
  const me = (await foyer.get(auth.me, {}, there)).data
  expect(me).toMatchObject({ sample: true, sample_of: other.user.customer.id })
  const places = new Map(me.users.map(({ customer, sample_of }) => [customer.id, sample_of]))
  expect(places).toEqual(
    new Map([
      [own.user.customer.id, null],
      [other.user.customer.id, null],
    ]),
  )
})

/** As if it had been made so many days ago. */
const age = (customer_id: number, days: number) =>
  foyer.query(
    `with aged as (update customers set sample_day = sample_day - $2::integer where id = $1),
       before as (update session_days set day = day - $2::integer where customer_id = $1)
     update room_guests set arrives_on = arrives_on - $2::integer, departs_on = departs_on - $2::integer where customer_id = $1`,
    [customer_id, days],
  )

test('opened again weeks later, one in which nobody has worked is made anew, with the figures of the last days', async () => {
  const own = await foyer.customer()
  const there = await into(own)
  await age(there.user.customer.id, 60)
  const again = await into(await switched(there, own.user.id))
  expect(again.user.customer.id).not.toBe(there.user.customer.id)
  const { days } = (await foyer.get(dashboard.get, {}, again)).data
  expect(days.filter(({ sessions: began }) => began > 0).length).toBeGreaterThan(3)
  await clearEnded(foyer.services)
  expect(await rowsOf(there.user.customer.id)).toEqual({})
  // Opened twice on one day, it is the same.
  const once_more = await into(await switched(again, own.user.id))
  expect(once_more.user.customer.id).toBe(again.user.customer.id)
})

test('what people have made in it stays when it is opened again days later, and its stays are those of today', async () => {
  const own = await foyer.customer()
  const there = await into(own)
  const customer_id = there.user.customer.id
  const [house] = (await foyer.get(properties.list, {}, there)).data
  const room = await foyer.room(there, { property_id: house?.id ?? 0, number: 'Garden 1' })
  const arrivals = async () =>
    (
      await foyer.query<{ at: string }>(
        `select max(departs_on - current_date)::text as at from room_guests where customer_id = $1`,
        [customer_id],
      )
    )[0]?.at
  const fresh = await arrivals()
  await age(customer_id, 60)
  const again = await into(await switched(there, own.user.id))
  expect(again.user.customer.id).toBe(customer_id)
  expect(await arrivals()).toBe(fresh)
  expect((await foyer.get(rooms.get, { id: room.id }, again)).data.number).toBe('Garden 1')
})

test('its gateway is heard and its guests stay online as time goes by', async () => {
  const there = await into(await foyer.customer())
  const customer_id = there.user.customer.id
  await foyer.query(`update gateways set last_seen_at = now() - interval '3 hours' where customer_id = $1`, [
    customer_id,
  ])
  expect(keepSamplesJob.cron).toBe('* * * * *')
  await foyer.services.tenancy.callFunction(keepsSamples)
  const [heard] = await foyer.query<{ ago: number }>(
    'select extract(epoch from now() - last_seen_at)::float as ago from gateways where customer_id = $1',
    [customer_id],
  )
  expect(heard?.ago).toBeLessThan(60)
})

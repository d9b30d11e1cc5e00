// Webhooks: what is told to whom, in which order, signed how, and what happens to a receiver that does not listen.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import os from 'node:os'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import { refusals, reservedForCustomer } from '#contract/errors.ts'
import * as events from '#contract/events.ts'
import { eventNames, eventTypes } from '#contract/events.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as webhooks from '#contract/webhooks.ts'
import { attempt, take } from '#server/due/attempt.ts'
import { connect } from '#server/db/logins.ts'
import { openSafeFetch } from '#server/outbound/safe-fetch.ts'
import { noLog } from '#server/watch/log.ts'
import { invalid } from '#server/errors/refused.ts'
import { doDue } from '#test/due.ts'
import { openHookReceiver, thanks, type Answer } from '#test/hook-receiver.ts'
import { openFoyer, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { signedHeaders } from './signature.ts'
import { webhookWork } from './deliver.ts'

const receiver = await openHookReceiver()
const { host, received } = receiver

let foyer: TestFoyer
beforeAll(async () => {
  // Without the role of jobs: the test itself delivers.
  foyer = await openFoyer({ env: { ROLES: 'api', ALLOWED_HOSTS: host } })
})
afterAll(async () => {
  await foyer.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.answer = thanks
  received.length = 0
  await foyer.query('delete from rate_limits', [])
})

const every = ['account.created', 'account.ended', 'stay.began', 'stay.moved', 'stay.ended'] as const
let serial = 0
const aHook = async (who: Asker, values: object = {}) =>
  (await foyer.get(webhooks.create, { url: `http://${host}/${++serial}`, events: [...every], ...values }, who)).data
const idOf = (who: Person) => who.user.customer.id
const deliver = (who: Person) => doDue(webhookWork, foyer.services, idOf(who))
const dueNow = (who: Person) =>
  foyer.query(`update due_work set next_at = now() where kind = 'webhook' and customer_id = $1 and state = 'waiting'`, [
    idOf(who),
  ])
const log = async (webhook_id: number, who: Asker) =>
  (await foyer.get(webhooks.deliveries, { params: { webhook_id } }, who)).data
const toldTo = ({ url }: { url: string }) => received.filter((post) => url.endsWith(post.url)).map(({ body }) => body)
const anAccount = async (who: Person, property_id: number) =>
  (await foyer.get(accounts.create, { name: unique('Guest'), property_id }, who)).data

test('signs as the specification’s vector says', () => {
  const at = new Date(1_614_265_330_000)
  const headers = signedHeaders(
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at,
    '{"test": 2432232314}',
  )
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('what happens is told once, signed, with ids and no name; and stands in the list of events under the same id', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  expect(hook.secret).toMatch(/^whsec_/)
  const account = await anAccount(who, property_id)
  await deliver(who)
  const [post, another] = received
  expect(another).toBeUndefined()
  expect(post?.body).toEqual({
    type: 'account.created',
    timestamp: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    data: { id: account.id, property_id, sequence: 1 },
  })
  expect(new Webhook(hook.secret).verify(post?.text ?? '', post?.headers as Record<string, string>)).toEqual(post?.body)
  expect(post?.text).not.toContain(account.name)
  expect(await log(hook.id, who)).toMatchObject([
    { type: 'account.created', state: 'delivered', status: 204, tries: 1 },
  ])
  const { data } = await foyer.get(events.list, { filters: { type: ['account.created'] } }, who)
  expect(data).toMatchObject([
    { message_id: post?.headers['webhook-id'], type: 'account.created', data: { id: account.id, sequence: 1 } },
  ])
})

test('with personal data it is told who it is, as they are known when it is sent', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  await aHook(who, { personal_data: true })
  const account = await anAccount(who, property_id)
  await foyer.query(`update accounts set name = 'Named later' where id = $1`, [account.id])
  await deliver(who)
  expect(received[0]?.body.data).toMatchObject({ personal: { name: 'Named later', email: null } })
})

test('a group’s and a property’s endpoint hear what happens there, and nothing else; the customer’s hears all', async () => {
  const who = await foyer.customer()
  const group = (await foyer.group(who)).id
  const [here, inGroup, elsewhere] = [
    (await foyer.property(who)).id,
    (await foyer.property(who, { group_id: group })).id,
    (await foyer.property(who)).id,
  ]
  const stranger = await foyer.customer()
  await aHook(stranger)
  const hooks = {
    all: await aHook(who),
    group: await aHook(who, { owner_type: 'Group', owner_id: group }),
    here: await aHook(who, { owner_type: 'Property', owner_id: here }),
  }
  const rooms = await Promise.all([here, inGroup, elsewhere].map((property_id) => foyer.room(who, { property_id })))
  for (const room of rooms) {
    const { id } = await foyer.roomGuest(who, { room_id: room.id })
    await foyer.get(roomGuests.checkOut, { ids: [id] }, who)
  }
  for (const property_id of [here, inGroup, elsewhere]) await anAccount(who, property_id)
  await deliver(who)
  await deliver(stranger)
  const heard = (hook: { url: string }) => new Set(toldTo(hook).map(({ data }) => data['property_id']))
  expect(heard(hooks.all)).toEqual(new Set([here, inGroup, elsewhere]))
  expect(heard(hooks.group)).toEqual(new Set([inGroup]))
  expect(heard(hooks.here)).toEqual(new Set([here]))
  expect(toldTo(hooks.here).map(({ type }) => type)).toEqual(['stay.began', 'stay.ended', 'account.created'])
  expect(received).toHaveLength(15)
})

test('only editors of the customer have names told, and only its own are told in the clear', async () => {
  const who = await foyer.customer()
  const property_id = (await foyer.property(who)).id
  const local = await foyer.invited(who, { owner_type: 'Property', owner_id: property_id })
  const asked = { url: `http://${host}/x`, events: ['account.created'] as const }
  const named = await foyer.ask(webhooks.create, { ...asked, events: ['account.created'], personal_data: true }, local)
  expect([named.status, named.body]).toMatchObject([422, { errors: { personal_data: [reservedForCustomer] } }])
  expect((await foyer.ask(webhooks.create, { ...asked, events: ['account.created'] }, local)).status).toBe(201)
  const inTheClear = await foyer.ask(
    webhooks.create,
    { ...asked, events: ['account.created'], url: 'http://crm.example/x' },
    who,
  )
  expectRefused(inTheClear, invalid({ url: ['Please enter an address that begins with https://'] }))
})

test('a local editor cannot send names of guests elsewhere, and what is disabled has nothing waiting', async () => {
  const who = await foyer.customer()
  const property_id = (await foyer.property(who)).id
  const local = await foyer.invited(who, { owner_type: 'Property', owner_id: property_id })
  const hook = await aHook(who, { owner_type: 'Property', owner_id: property_id, personal_data: true })
  const diverted = await foyer.ask(webhooks.update, { id: hook.id, url: `http://${host}/elsewhere` }, local)
  expect([diverted.status, diverted.text]).toEqual([422, expect.stringContaining('only editors of the company')])
  receiver.answer = (response) => void response.writeHead(503).end()
  await anAccount(who, property_id)
  await deliver(who)
  await foyer.get(webhooks.update, { id: hook.id, active: false }, local)
  expect((await foyer.get(webhooks.get, { id: hook.id }, who)).data).toMatchObject({ status: 'disabled', waiting: 0 })
  expect((await log(hook.id, who)).map(({ state }) => state)).toEqual(['failed'])
  receiver.answer = thanks
  await dueNow(who)
  await deliver(who)
  expect(received).toHaveLength(1)
})

test('events of one object wait for the one before, those of others do not', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  const [first, second] = [await anAccount(who, property_id), await anAccount(who, property_id)]
  await foyer.get(accounts.deactivate, { ids: [first.id] }, who)
  receiver.answer = (response, { body }) =>
    void response
      .writeHead(body.data['id'] === first.id ? 400 : 204)
      .end(body.data['id'] === first.id ? 'Not that one' : '')
  await deliver(who)
  expect(toldTo(hook).map(({ type, data }) => [type, data['id']])).toEqual([
    ['account.created', first.id],
    ['account.created', second.id],
  ])
  expect((await log(hook.id, who)).map(({ state, status, answer: said }) => [state, status, said])).toEqual([
    ['waiting', null, null],
    ['delivered', 204, ''],
    ['waiting', 400, 'Not that one'],
  ])
  receiver.answer = thanks
  await dueNow(who)
  await deliver(who)
  expect(
    toldTo(hook)
      .slice(2)
      .map(({ type, data }) => [type, data['sequence']]),
  ).toEqual([
    ['account.created', 1],
    ['account.ended', 2],
  ])
})

test('what is recorded while its webhook is paused is given up, and holds up nothing once that is active again', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  const first = await anAccount(who, property_id)
  await anAccount(who, property_id)
  const [recording, blocking] = [
    await connect(foyer.database.adminUrl),
    await connect(foyer.database.adminUrl),
  ] as const
  try {
    await recording.query('begin')
    await recording.query(`select record_events($1, 'stay.moved', 'account', $2::jsonb)`, [
      idOf(who),
      JSON.stringify([{ id: first.id, property_id }]),
    ])
    // Holds up the pause between what it does to the deliveries and what to their work.
    await blocking.query('begin')
    await blocking.query(
      'select from webhook_deliveries where id = (select max(id) from webhook_deliveries where webhook_id = $1) for update',
      [hook.id],
    )
    receiver.answer = (response) => void response.writeHead(410).end()
    const delivering = deliver(who)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await foyer.query(waiting, [])).length, { timeout: 60_000 }).toBeGreaterThan(0)
    await recording.query('commit')
    await blocking.query('rollback')
    await delivering
  } finally {
    await Promise.all([recording.end(), blocking.end()])
  }
  await deliver(who)
  expect((await log(hook.id, who)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
  receiver.answer = thanks
  await foyer.get(webhooks.update, { id: hook.id, active: true }, who)
  await foyer.get(accounts.deactivate, { ids: [first.id] }, who)
  await deliver(who)
  expect(toldTo(hook).map(({ type }) => type)).toEqual(['account.created', 'account.ended'])
})

test('one that waits without anybody who is to tell it holds up nothing', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  const { id } = await anAccount(who, property_id)
  await foyer.query(`delete from due_work where kind = 'webhook' and customer_id = $1`, [idOf(who)])
  await foyer.get(accounts.deactivate, { ids: [id] }, who)
  await deliver(who)
  expect(toldTo(hook).map(({ type }) => type)).toEqual(['account.ended'])
})

test.each<[string, (hook: number, who: Person) => Promise<unknown>]>([
  ['disabled', (id, who) => foyer.get(webhooks.update, { id, active: false }, who)],
  [
    'paused',
    (id) =>
      foyer.query(`update webhooks set active = false, paused_at = now(), paused_for = 'gone' where id = $1`, [id]),
  ],
])('while it is %s nothing is told again, and what follows is told once it is active', async (_how, rests) => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  const since = new Date(Date.now() - 1000).toISOString()
  const { id } = await anAccount(who, property_id)
  await deliver(who)
  await rests(hook.id, who)
  const refused = await foyer.ask(webhooks.replay, { id: hook.id, since }, who)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Activate it first')])
  expect((await log(hook.id, who)).map(({ state }) => state)).toEqual(['delivered'])
  await foyer.get(webhooks.update, { id: hook.id, active: true }, who)
  await foyer.get(accounts.deactivate, { ids: [id] }, who)
  await deliver(who)
  expect(toldTo(hook).map(({ type }) => type)).toEqual(['account.created', 'account.ended'])
})

test('a receiver that is down gets all once it is back, and is not called for each meanwhile', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  receiver.answer = (response) => void response.writeHead(503).end()
  for (let made = 0; made < 5; made++) await anAccount(who, property_id)
  await deliver(who)
  expect(received).toHaveLength(1)
  expect((await foyer.get(webhooks.get, { id: hook.id }, who)).data).toMatchObject({ waiting: 5, status: 'active' })
  expect((await foyer.get(webhooks.get, { id: hook.id }, who)).data.failing_since).not.toBeNull()
  // The first is tried again, the second asks whether it is back, and the others follow.
  const waits = async () => (await log(hook.id, who)).map((one) => one.waits_for_answer).toReversed()
  expect(await waits()).toEqual([false, false, true, true, true])
  receiver.answer = thanks
  received.length = 0
  // The time of one of them has come.
  await foyer.query(
    `update due_work set next_at = now() where id = (select min(id) from due_work where kind = 'webhook' and customer_id = $1)`,
    [idOf(who)],
  )
  await deliver(who)
  expect(received).toHaveLength(5)
  expect((await foyer.get(webhooks.get, { id: hook.id }, who)).data).toMatchObject({ waiting: 0, failing_since: null })
  expect(await waits()).toEqual([false, false, false, false, false])
})

test('410 pauses an endpoint at once, and five days of failure do, with a mail; activated, it is told what it missed', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  receiver.answer = (response) => void response.writeHead(410).end()
  const before = new Date(Date.now() - 1000).toISOString()
  await anAccount(who, property_id)
  await deliver(who)
  const state = async () => (await foyer.get(webhooks.get, { id: hook.id }, who)).data
  expect(await state()).toMatchObject({ status: 'disabled', paused_for: 'gone' })
  expect(await foyer.mailTo(who.user.email)).toContain(`The webhook to ${host} is paused`)
  await anAccount(who, property_id)
  await deliver(who)
  expect(received).toHaveLength(1)
  receiver.answer = thanks
  await foyer.get(webhooks.update, { id: hook.id, active: true }, who)
  expect((await foyer.get(webhooks.replay, { id: hook.id, since: before }, who)).data).toEqual({ sent: 2 })
  await deliver(who)
  expect(received).toHaveLength(3)
  // The same id at each try.
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])

  receiver.answer = (response) => void response.writeHead(500).end()
  await anAccount(who, property_id)
  await foyer.query(
    `update webhooks set failing_since = now() - interval '6 days', failed_at = now() - interval '1 day' where id = $1`,
    [hook.id],
  )
  await deliver(who)
  expect(await state()).toMatchObject({ status: 'disabled', paused_for: 'failed', waiting: 0 })
  expect(await foyer.mailTo(who.user.email)).toContain(
    `The webhook to ${host} is paused: nothing could be delivered to it for five days.`,
  )
})

test('days of failure begin anew where nothing was tried for days, however long ago the last thing was delivered', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  receiver.answer = (response) => void response.writeHead(502).end()
  await anAccount(who, property_id)
  await deliver(who)
  // That was given up, weeks ago.
  await foyer.query(
    `update webhooks set failing_since = failing_since - interval '21 days', failed_at = failed_at - interval '18 days' where id = $1`,
    [hook.id],
  )
  await anAccount(who, property_id)
  await dueNow(who)
  await deliver(who)
  const { status, failing_since } = (await foyer.get(webhooks.get, { id: hook.id }, who)).data
  expect(status).toBe('active')
  expect(Date.parse(failing_since ?? '')).toBeGreaterThan(Date.now() - 24 * 3_600_000)
})

test.each<[string, Answer, string]>([
  ['redirects', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'redirects'],
  [
    'answers without an end',
    (response) => void response.writeHead(200).write('x'.repeat(200_000)),
    'There was no answer',
  ],
])('one that %s is refused in words', async (_how, does, sentence) => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  receiver.answer = does
  await anAccount(who, property_id)
  await deliver(who)
  const [delivery] = await log(hook.id, who)
  expect(delivery).toMatchObject({ state: 'waiting', status: null })
  const due = await foyer.query<{ last_error: string }>(
    `select last_error from due_work where kind = 'webhook' and customer_id = $1`,
    [idOf(who)],
  )
  expect(due[0]?.last_error).toContain(sentence)
})

test('a certificate that is not the receiver’s is refused in words, and nothing is sent', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-certificate-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const making = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=somebody.example'
  execFileSync('openssl', [...making.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  let asked = 0
  const foreign = createTlsServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }, (_request, response) => {
    asked++
    response.writeHead(204).end()
  })
  foreign.listen(0, '127.0.0.1')
  await once(foreign, 'listening')
  const place = `127.0.0.1:${(foreign.address() as AddressInfo).port}`
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who, { url: `https://${place}/` })
  await anAccount(who, property_id)
  const safeFetch = openSafeFetch({ allowed_hosts: [place] })
  await doDue(webhookWork, { ...foyer.services, safeFetch }, idOf(who))
  expect((await log(hook.id, who))[0]).toMatchObject({ state: 'waiting', status: null })
  expect((await log(hook.id, who))[0]?.answer).toMatch(/certificate/)
  expect(asked).toBe(0)
  foreign.close()
  fs.rmSync(folder, { recursive: true })
})

test.each(eventNames)(
  '%s is heard by endpoints of where it happened and of the customer, at once and when told again',
  async (type) => {
    const who = await foyer.customer()
    const [group, elsewhere] = [await foyer.group(who), await foyer.group(who)]
    const [house, sister, stranger] = [
      await foyer.property(who, { group_id: group.id }),
      await foyer.property(who, { group_id: group.id }),
      await foyer.property(who, { group_id: elsewhere.id }),
    ]
    const owned = (owner_type: 'Group' | 'Property', owner_id: number) =>
      aHook(who, { owner_type, owner_id, events: [...eventNames] })
    const hooks = {
      customer: await aHook(who, { events: [...eventNames] }),
      deaf: await aHook(who, { events: eventNames.filter((name) => name !== type).slice(0, 1) }),
      group: await owned('Group', group.id),
      elsewhere: await owned('Group', elsewhere.id),
      house: await owned('Property', house.id),
      sister: await owned('Property', sister.id),
      stranger: await owned('Property', stranger.id),
    }
    const since = new Date(Date.now() - 1000).toISOString()
    /** The object's ids are those of the places, so that it shows in what is told. */
    const happens = (about: { id: number; property_id?: number; group_id?: number }) =>
      foyer.query('select record_events($1, $2, $3, $4::jsonb)', [
        idOf(who),
        type,
        eventTypes[type].object,
        JSON.stringify([about]),
      ])
    await happens({ id: 1, property_id: house.id })
    await happens({ id: 2, property_id: stranger.id })
    await happens({ id: 3, group_id: group.id })
    await happens({ id: 4 })
    await deliver(who)
    const heard = () =>
      Object.fromEntries(
        Object.entries(hooks).map(([name, hook]) => [
          name,
          toldTo(hook)
            .map(({ data }) => data.id)
            .toSorted((one, other) => one - other),
        ]),
      )
    const expected = {
      customer: [1, 2, 3, 4],
      deaf: [],
      group: [1, 3],
      elsewhere: [2],
      house: [1],
      sister: [],
      stranger: [2],
    }
    expect(heard()).toEqual(expected)
    received.length = 0
    for (const { id } of Object.values(hooks)) await foyer.get(webhooks.replay, { id, since }, who)
    await deliver(who)
    expect(heard()).toEqual(expected)
  },
)

test('a delivery during which the node dies is made by the next one, under the same id', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  await anAccount(who, property_id)
  /** Another node takes it once the dead one has been silent for as long as its lease. */
  const leaseIsOver = () =>
    foyer.query(`update due_work set next_at = now() where kind = 'webhook' and customer_id = $1`, [idOf(who)])
  const taking = { customer_id: idOf(who), rows_max: 1, of: { urgent: false } } as const
  // It dies before it posts.
  const [first] = await take(foyer.services.tenancy, webhookWork, taking)
  expect([first?.tries, received.length]).toEqual([1, 0])
  await leaseIsOver()
  // It dies after it has posted, before that is stored.
  const [second] = await take(foyer.services.tenancy, webhookWork, taking)
  if (!second) throw new Error('nothing was taken')
  await webhookWork.run(foyer.services, second)
  expect(received).toHaveLength(1)
  await leaseIsOver()
  await deliver(who)
  expect(received).toHaveLength(2)
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  expect(received[1]?.text).toBe(received[0]?.text)
  // One that was thought dead stores nothing any more.
  await attempt(foyer.services.tenancy, noLog, webhookWork, foyer.services as never, second)
  expect(await log(hook.id, who)).toMatchObject([{ state: 'delivered' }])
})

test('a private address that the installation does not name is called by nobody', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  await foyer.query(`update webhooks set url = 'https://127.0.0.1:1/' where id = $1`, [hook.id])
  await anAccount(who, property_id)
  await deliver(who)
  expect((await log(hook.id, who))[0]?.answer).toContain('not a public address')
})

test('for a day after a new secret was made both sign', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who)
  const { data: renewed } = await foyer.get(webhooks.renewSecret, { id: hook.id }, who)
  expect(renewed.secret).not.toBe(hook.secret)
  await anAccount(who, property_id)
  await deliver(who)
  const [post] = received
  for (const secret of [hook.secret, renewed.secret])
    expect(new Webhook(secret).verify(post?.text ?? '', post?.headers as Record<string, string>)).toBeTruthy()
  await foyer.query(`update webhook_secrets set former_until = now() where webhook_id = $1`, [hook.id])
  await anAccount(who, property_id)
  await deliver(who)
  const last = received.at(-1)
  expect(() => new Webhook(hook.secret).verify(last?.text ?? '', last?.headers as Record<string, string>)).toThrow()
})

test('a second new secret within the day cuts off neither of the receivers that know a former one', async () => {
  const who = await foyer.customer()
  const hook = await aHook(who)
  const renewed = async () => (await foyer.get(webhooks.renewSecret, { id: hook.id }, who)).data.secret
  const secrets = [hook.secret, await renewed()]
  // The first was renewed earlier, so its day is over earlier.
  await foyer.query(`update webhook_secrets set former_until = now() + interval '1 hour' where webhook_id = $1`, [
    hook.id,
  ])
  secrets.push(await renewed())
  const signedBy = async () => {
    received.length = 0
    await foyer.get(webhooks.test, { id: hook.id }, who)
    await deliver(who)
    const [post] = received
    return secrets.map((secret) => {
      try {
        return new Webhook(secret).verify(post?.text ?? '', post?.headers as Record<string, string>) !== null
      } catch {
        return false
      }
    })
  }
  expect(await signedBy()).toEqual([true, true, true])
  const third = await foyer.ask(webhooks.renewSecret, { id: hook.id }, who)
  expectRefused(third, {
    ...refusals.clash,
    message: /^Two former secrets still sign\. Another one can be made from \d{4}-\d\d-\d\d \d\d:\d\d UTC on\.$/,
  })
  const [, from = ''] = /still sign\. Another one can be made from (.* UTC) on\./.exec(third.text) ?? []
  const [{ left } = { left: '' }] = await foyer.query<{ left: string }>(
    `select extract(epoch from $2::timestamptz - older_until) as left from webhook_secrets
     where webhook_id = $1 and round(extract(epoch from older_until - now()) / 3600) = 1`,
    [hook.id, from],
  )
  // The first whole minute after it.
  expect(Number(left)).toBeGreaterThan(0)
  expect(Number(left)).toBeLessThanOrEqual(60)
  await foyer.query(`update webhook_secrets set older_until = now() where webhook_id = $1`, [hook.id])
  expect(await signedBy()).toEqual([false, true, true])
})

test('a test event goes to that endpoint alone, and a delivery is sent again under its id', async () => {
  const who = await foyer.customer()
  const [hook] = [await aHook(who), await aHook(who)]
  await foyer.get(webhooks.test, { id: hook.id }, who)
  await deliver(who)
  expect(received.map(({ body }) => body.type)).toEqual(['webhook.test'])
  expect(toldTo(hook)).toHaveLength(1)
  const [delivery] = await log(hook.id, who)
  await foyer.get(webhooks.send, { ids: [delivery?.id ?? 0] }, who)
  await deliver(who)
  expect(received).toHaveLength(2)
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
})

test('deliveries are sent again all or none: not while one of their endpoints is disabled', async () => {
  const who = await foyer.customer()
  const hooks = [await aHook(who), await aHook(who)]
  for (const { id } of hooks) await foyer.get(webhooks.test, { id }, who)
  await deliver(who)
  const ids = (await Promise.all(hooks.map(({ id }) => log(id, who)))).flat().map(({ id }) => id)
  await foyer.get(webhooks.update, { id: hooks[1]?.id ?? 0, active: false }, who)
  const refused = await foyer.ask(webhooks.send, { ids }, who)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Activate it first if it is off')])
  await deliver(who)
  expect(received).toHaveLength(2)
})

test('a test event does not wait for one before it that has failed', async () => {
  const who = await foyer.customer()
  const hook = await aHook(who)
  receiver.answer = (response) => void response.writeHead(503).end()
  await foyer.get(webhooks.test, { id: hook.id }, who)
  await deliver(who)
  receiver.answer = thanks
  await foyer.get(webhooks.test, { id: hook.id }, who)
  await deliver(who)
  const [first, second, third] = received.map(({ headers }) => headers['webhook-id'])
  expect([first === second, first === third, received.length]).toEqual([false, true, 3])
})

test('a test event belongs to whom its endpoint belongs to', async () => {
  const who = await foyer.customer()
  const [group, other] = [(await foyer.group(who)).id, (await foyer.group(who)).id]
  const property = (await foyer.property(who, { group_id: other })).id
  const owned = [
    { owner_type: 'Group', owner_id: group },
    { owner_type: 'Property', owner_id: property },
  ]
  for (const owner of owned) await foyer.get(webhooks.test, { id: (await aHook(who, owner)).id }, who)
  const editor = (owner: object) => foyer.invited(who, owner)
  const seen = async (asker: Asker) => (await foyer.get(events.list, {}, asker)).data.map(({ type }) => type)
  expect(await seen(who)).toEqual(['webhook.test', 'webhook.test'])
  for (const owner of [...owned, { owner_type: 'Group', owner_id: other }])
    expect(await seen(await editor(owner)), JSON.stringify(owner)).toEqual(['webhook.test'])
})

/** Ada agrees to marketing at a property. Answers her id. */
async function aConsent(who: Person, property_id: number): Promise<number> {
  const [guest] = await foyer.query<{ id: number }>(
    `with guest as (
       insert into guests (customer_id, property_id, name, email) values ($1, $2, 'Ada Lovelace', 'ada@guest.example')
       returning customer_id, property_id, id),
     consent as (
       insert into consent_records (customer_id, property_id, guest_id, purpose, wording, method)
       select customer_id, property_id, id, 'marketing_email', 'Yes', 'checkbox' from guest)
     select id from guest`,
    [idOf(who), property_id],
  )
  if (!guest) throw new Error('no guest was made')
  return guest.id
}
const erase = (who: Person, guest: number) =>
  foyer.query(
    `do $$ begin perform set_config('app.customer_id', '${idOf(who)}', true); perform erase_guests(array[${guest}]::bigint[]); end $$`,
    [],
  )

test('what an endpoint answered about a guest is forgotten with the guest', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who, { events: ['guest.consent_given'], personal_data: true })
  const guest = await aConsent(who, property_id)
  receiver.answer = (response) => void response.writeHead(200).end('Thanks, Ada Lovelace')
  await deliver(who)
  expect(received[0]?.body.data).toMatchObject({ personal: { name: 'Ada Lovelace', email: 'ada@guest.example' } })
  expect((await log(hook.id, who))[0]?.answer).toBe('Thanks, Ada Lovelace')
  await erase(who, guest)
  expect((await log(hook.id, who))[0]?.answer).toBeNull()
})

test('what still waits when a guest is erased says nothing of them', async () => {
  const who = await foyer.customer()
  const { id: property_id } = await foyer.property(who)
  const hook = await aHook(who, { events: ['guest.consent_given'], personal_data: true })
  const guest = await aConsent(who, property_id)
  receiver.answer = (response) => void response.writeHead(500).end('Who is Ada Lovelace?')
  await deliver(who)
  expect(received[0]?.text).toContain('Ada Lovelace')
  expect((await log(hook.id, who))[0]).toMatchObject({ state: 'waiting', answer: 'Who is Ada Lovelace?' })
  await erase(who, guest)
  expect(JSON.stringify(await log(hook.id, who))).not.toContain('Ada')
  receiver.answer = thanks
  await dueNow(who)
  await deliver(who)
  expect(received).toHaveLength(2)
  expect(received[1]?.text).not.toContain('Ada')
  expect(received[1]?.text).not.toContain('ada@guest.example')
})

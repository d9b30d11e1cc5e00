// Guesses: only those who guess have to wait; where an account has been used before its owner gets in; and answers do not
// reveal which accounts exist.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as auth from '#contract/auth.ts'
import { refusals } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { wrongCredentials } from '#server/resources/auth/logins.ts'
import { openFoyer, password, type TestFoyer } from '#test/foyer.ts'
import { whileStalled } from '#test/stalled-function.ts'
import { expectRefused, tooManySignIns } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  admin = await connect(foyer.database.adminUrl)
})
beforeEach(async () => void (await admin.query('delete from rate_limits')))
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const logIn = (ip: string, email: string, given = password) =>
  foyer.ask(auth.login, { email, password: given }, null, { 'app-context': 'customer', 'x-forwarded-for': ip })
const count = (key: string, hits: number) =>
  admin.query(`insert into rate_limits values ($1, $2, now() + interval '1 hour')`, [key, hits])
const countedFor = async (key: string) =>
  (await admin.query<{ hits: number }>('select hits from rate_limits where key = $1', [key])).rows[0]?.hits ?? 0

/** A user who has signed in from each of these addresses. */
async function knownFrom(...ips: string[]) {
  const { email } = (await foyer.customer()).user
  for (const ip of ips) expect((await logIn(ip, email)).status).toBe(200)
  return email
}

test('delayed sign-ins delay nobody else, from however many networks they come', async () => {
  const networks = Array.from({ length: 12 }, (_, index) => `198.51.100.${index + 1}`)
  const email = await knownFrom(...networks)
  const other = (await foyer.customer()).user.email
  for (const ip of networks) await count(`login:${email} from ${ip}`, 30)
  let answered = 0
  const guesses = [...networks, ...networks].map(async (ip) => {
    const answer = await logIn(ip, email, 'wrong')
    answered++
    return answer
  })
  const begun = async () =>
    (await admin.query('select from rate_limits where hits > 30 and key like $1', [`login:${email} from %`])).rowCount
  await expect.poll(begun, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(4)
  expect((await logIn('203.0.113.1', other)).status).toBe(200)
  expect(answered).toBe(0)
  for (const guess of await Promise.all(guesses)) expectRefused(guess, tooManySignIns)
})

test('only some sign-ins of one address may wait; the next is refused, is not counted, and affects no other address', async () => {
  const [flooded, calm] = ['203.0.113.2', '203.0.113.3']
  const email = await knownFrom(flooded, calm)
  await count(`login:${email} from ${flooded}`, 10)
  await count(`login:${email} from ${calm}`, 10)
  const { slowed } = foyer.services.turns
  const waiting = Array.from({ length: 16 }, (_, index) => slowed.take(`address ${flooded}`, `account ${index % 2}`))
  const refused = await logIn(flooded, email)
  expectRefused(refused, refusals.tooMany)
  expect(Number(refused.headers['retry-after'])).toBeLessThan(10)
  expect(await countedFor(`login:${email} from ${flooded}`)).toBe(10)
  expect((await logIn(calm, email)).status).toBe(200)
  for (const one of waiting) (await one).end()
  expect((await logIn(flooded, email)).status).toBe(200)
})

test('a user who has signed in with a browser before is not crowded out by others at the same address', async () => {
  const hotel = '203.0.113.7'
  const { email } = (await foyer.customer()).user
  const mark = 'the-front-desk-s-own-browser'
  const here = (device: string, given = password) =>
    foyer.ask(auth.login, { email, password: given }, null, {
      'app-context': 'customer',
      'x-forwarded-for': hotel,
      'x-device': device,
    })
  const first = await here(mark)
  const signed = 'device' in first.body.data ? (first.body.data.device ?? '') : ''
  expect(signed).toMatch(new RegExp(`^${mark}[.]`))
  await count(`login-from:${hotel}`, 100)
  const { slowed, sign_in } = foyer.services.turns
  const crowd = [
    ...Array.from({ length: 16 }, (_, index) => slowed.take(`address ${hotel}`, `account ${index % 2}`)),
    ...Array.from({ length: 22 }, () => sign_in.take(`address ${hotel}`)),
  ]
  try {
    expect((await here(signed)).status).toBe(200)
    for (let wrong = 1; wrong <= 10; wrong++) expectRefused(await here(signed, 'wrong'), wrongCredentials())
    expect(await countedFor(`login:${email} on ${mark}`)).toBe(10)
    expect((await here(signed)).status).toBe(200)
    const forged = `${mark}.${'A'.repeat(43)}`
    for (const other of [mark, forged]) expectRefused(await here(other), refusals.tooMany)
  } finally {
    for (const one of crowd) (await one).end()
  }
})

test('a browser that is known for one account is not known for another', async () => {
  const hotel = '203.0.113.8'
  const [mine, other] = [(await foyer.customer()).user.email, (await foyer.customer()).user.email]
  const on = (device: string, email: string, given = password) =>
    foyer.ask(auth.login, { email, password: given }, null, {
      'app-context': 'customer',
      'x-forwarded-for': hotel,
      'x-device': device,
    })
  const { data } = (await on('a-browser-of-a-guest', mine)).body
  const signed = 'device' in data ? (data.device ?? '') : ''
  await count(`login-from:${hotel}`, 100)
  expectRefused(await on(signed, other), tooManySignIns)
  expect((await on(signed, mine)).status).toBe(200)
})

test('after too many failures at an address users known there can sign in, and answers do not reveal who they are', async () => {
  const hotel = '203.0.113.4'
  const desk = await knownFrom(hotel)
  const newcomer = (await foyer.customer()).user.email
  await count(`login-from:${hotel}`, 100)
  const began = performance.now()
  const timed = async (email: string, given: string) => {
    const { status, text } = await logIn(hotel, email, given)
    return { status, text, ms: performance.now() - began }
  }
  const [right, wrong, ...others] = await Promise.all([
    timed(desk, password),
    timed(desk, 'wrong'),
    timed(newcomer, password),
    timed('nobody@example.com', 'wrong'),
  ])
  expect(right.status).toBe(200)
  expectRefused(wrong, tooManySignIns)
  for (const other of others) expect([other.status, other.text]).toEqual([wrong.status, wrong.text])
  for (const { ms } of [right, wrong, ...others]) expect(ms).toBeGreaterThan(4900)
})

test('a try that timed out in the database is not counted as a failure', async () => {
  const { email } = (await foyer.customer()).user
  const from = '203.0.113.5'
  await whileStalled(admin, 'door_login(text)', async () => {
    for (let busy = 1; busy <= 12; busy++) expectRefused(await logIn(from, email), refusals.unavailable)
  })
  await whileStalled(admin, 'door_second_factor(integer)', async () =>
    expectRefused(await logIn(from, email), refusals.unavailable),
  )
  expect(await countedFor(`login:${email} from ${from}`)).toBe(0)
  expect((await logIn(from, email)).status).toBe(200)
})

test('a try is uncounted later if the database times out on that, too', async () => {
  const { email } = (await foyer.customer()).user
  const from = '203.0.113.6'
  const left = () => countedFor(`login:${email} from ${from}`)
  await whileStalled(admin, 'door_login(text)', () =>
    whileStalled(admin, 'door_uncount(text)', async () =>
      expectRefused(await logIn(from, email), refusals.unavailable),
    ),
  )
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
})

// Sessions, as callers use it: signing up, in and out, forgotten passwords, and what ends a session.
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as dashboard from '#contract/dashboard.ts'
import * as properties from '#contract/properties.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import { refusals } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { connect } from '#server/db/logins.ts'
import { hashOf } from '#server/access/authenticate.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { wrongCredentials } from '#server/resources/auth/logins.ts'
import { linkUsedUp } from '#server/resources/auth/address-confirmation.ts'
import { entered, openFoyer, password, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused, expectRefusedBut, tooManySignIns, tooMuchOf } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  // The client's address is taken from the proxy's header.
  foyer = await openFoyer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  admin = await connect(foyer.database.adminUrl)
})
beforeEach(async () => void (await admin.query('delete from rate_limits')))
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const inContext = (context: string) => ({ 'app-context': context })
const login = (email: string, given = password, context = 'customer') =>
  foyer.ask(auth.login, { email, password: given }, null, inContext(context))
/** An address that no account has been used from. */
const elsewhere = '203.0.113.9'
const loginFrom = (ip: string, email: string, given = password) =>
  foyer.ask(auth.login, { email, password: given }, null, { ...inContext('customer'), 'x-forwarded-for': ip })
const alive = async (who: Person) => (await foyer.ask(auth.me, {}, who)).status === 200
const tooShort = 'Please use at least 12 characters'
const tooCommon = 'This password is too common. Please choose another one.'
const shift = (who: Person, change: string) =>
  admin.query(`update sessions set ${change} where token_hash = $1`, [hashOf(who.token)])

/** One login with a user of the customer, of a group and of a property. */
async function everywhere() {
  const editor = await foyer.customer()
  const { email } = editor.user
  const group = await foyer.group(editor)
  const property = await foyer.property(editor)
  const colleague = await foyer.invited(editor)
  for (const owner of [
    { owner_type: 'Group', owner_id: group.id },
    { owner_type: 'Property', owner_id: property.id },
  ] as const) {
    await foyer.get(users.invite, { email, name: 'Ann', user_type_id: 1, ...owner }, colleague)
    await foyer.get(auth.acceptInvitation, { token: foyer.tokenIn(await foyer.mailTo(email)), password })
  }
  return { editor, email, group, property }
}

describe('signing in', () => {
  test('opens the user of the page in use, else the last used one, and lists the others', async () => {
    const { email } = await everywhere()
    for (const context of ['group', 'customer', 'property']) {
      const data = entered((await login(email, password, context)).body.data)
      expect(data.user.owner_type.toLowerCase()).toBe(context)
      expect(data.users).toHaveLength(2)
      expect(data.users.map((user) => user.id)).not.toContain(data.user.id)
      const last = entered((await login(email, password, 'nowhere')).body.data)
      expect(last.user.id).toBe(data.user.id)
    }
  })

  test('is refused in the same way for an unknown address and a wrong password', async () => {
    const { user } = await foyer.customer()
    const wrong = await login(user.email, `${password}!`)
    const unknown = await login('nobody@example.com')
    expectRefused(wrong, wrongCredentials())
    expect(unknown.text).toBe(wrong.text)
  })

  test('takes the address in any case, and the password exactly', async () => {
    const { user } = await foyer.customer()
    expect((await login(` ${user.email.toUpperCase()} `)).status).toBe(200)
    expectRefused(await login(user.email, password.toUpperCase()), wrongCredentials())
    expectRefused(await login(user.email, `${password} `), wrongCredentials())
  })

  test('is refused for a disabled user with the message for a wrong password', async () => {
    const editor = await foyer.customer()
    const colleague = await foyer.invited(editor)
    await foyer.get(users.deactivate, { ids: [colleague.user.id] }, editor)
    expectRefused(await login(colleague.user.email), wrongCredentials())
  })

  test('is refused after 10 failures of an account from one address, with the time to wait; others still get in', async () => {
    const [{ user }, other] = [await foyer.customer(), await foyer.customer()]
    for (let failure = 1; failure <= 10; failure++)
      expectRefused(await loginFrom(elsewhere, user.email, 'wrong'), wrongCredentials())
    const refused = await loginFrom(elsewhere, user.email)
    expectRefused(refused, tooManySignIns)
    const wait_s = Number(refused.headers['retry-after'])
    expect(wait_s).toBeGreaterThan(14 * 60)
    expect(wait_s).toBeLessThanOrEqual(15 * 60)
    expect((await loginFrom(elsewhere, other.user.email)).status).toBe(200)
    expect((await loginFrom('203.0.113.10', user.email)).status).toBe(200)
    await admin.query(`update rate_limits set expires_at = expires_at - interval '15 minutes'`)
    expect((await loginFrom(elsewhere, user.email)).status).toBe(200)
  })

  test('from an address that the account has been used from before, it is slowed down and never refused', async () => {
    const { user } = await foyer.customer()
    for (let failure = 1; failure <= 10; failure++) expectRefused(await login(user.email, 'wrong'), wrongCredentials())
    const began = performance.now()
    // A wrong password gets the same answer as from an unknown address, so that nothing is revealed.
    expectRefused(await login(user.email, 'wrong'), tooManySignIns)
    expect((await login(user.email)).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(500 + 1000)
  })

  test('wrong guesses from everywhere else lock nobody out', async () => {
    const { user } = await foyer.customer()
    const guesses = Array.from({ length: 30 }, (_, index) => loginFrom(`198.51.100.${index}`, user.email, 'wrong'))
    for (const guess of await Promise.all(guesses)) expectRefused(guess, wrongCredentials())
    expect((await login(user.email)).status).toBe(200)
    expect((await loginFrom('198.51.100.200', user.email)).status).toBe(200)
  })

  test('all addresses of an IPv6 network count as one', async () => {
    const { user } = await foyer.customer()
    const from = (host: number) => loginFrom(`2001:db8:1:2::${host}`, user.email, 'wrong')
    for (let failure = 1; failure <= 10; failure++) expectRefused(await from(failure), wrongCredentials())
    expectRefused(await from(11), tooManySignIns)
    expect((await loginFrom('2001:db8:1:3::1', user.email)).status).toBe(200)
  })

  test('an address over its limit is refused before it counts against an account', async () => {
    const { user } = await foyer.customer()
    await admin.query(`insert into rate_limits values ($1, 100, now() + interval '1 hour')`, [
      `login-from:${elsewhere}`,
    ])
    const guesses = await Promise.all(Array.from({ length: 4 }, () => loginFrom(elsewhere, user.email, 'wrong')))
    for (const guess of guesses) expectRefused(guess, tooManySignIns)
    const { rows } = await admin.query(`select from rate_limits where key like 'login:%'`)
    expect(rows).toEqual([])
  })

  test('a success resets the count', async () => {
    const { user } = await foyer.customer()
    for (let round = 0; round < 2; round++) {
      for (let failure = 1; failure <= 9; failure++) expectRefused(await login(user.email, 'wrong'), wrongCredentials())
      expect((await login(user.email)).status).toBe(200)
    }
  })

  test('a flood of concurrent guesses gets no more attempts than sequential ones', async () => {
    const { user } = await foyer.customer()
    const answers = await Promise.all(Array.from({ length: 20 }, () => loginFrom(elsewhere, user.email, 'wrong')))
    const looked = answers.filter(({ status }) => status === refusals.invalid.status)
    for (const answer of looked) expectRefused(answer, wrongCredentials())
    expect(looked.length).toBeGreaterThan(0)
    expect(looked.length).toBeLessThanOrEqual(10)
    for (const answer of answers.filter((one) => !looked.includes(one))) expectRefused(answer, tooManySignIns)
  })

  test('100 failures from one address in an hour are enough, whatever the account', async () => {
    await admin.query(`insert into rate_limits values ('login-from:127.0.0.1', 100, now() + interval '1 hour')`)
    expectRefused(await login(`${unique('x').replaceAll(' ', '')}@example.com`), tooManySignIns)
  })

  test('is logged, also when it fails', async () => {
    const { user } = await foyer.customer()
    await login(user.email, 'wrong')
    const { rows } = await admin.query('select action from activity where user_id = $1 order by id desc limit 1', [
      user.id,
    ])
    expect(rows).toEqual([{ action: 'failed_login' }])
  })
})

describe('switching users', () => {
  test('rotates the token: the new one acts as the other user, the old one is dead', async () => {
    const { editor, group } = await everywhere()
    const { data: me } = await foyer.get(auth.me, {}, editor)
    const other = me.users.find((user) => user.owner_type === 'Group')
    const switched = foyer.signedIn((await foyer.get(auth.switchUser, { user_id: other?.id ?? 0 }, editor)).data)
    expect(switched.user).toMatchObject({ owner_type: 'Group', owner_id: group.id })
    expect(switched.token).not.toBe(editor.token)
    expect(await alive(editor)).toBe(false)
    expect((await foyer.get(auth.me, {}, switched)).data.users).toHaveLength(2)
  })
})

describe('a session', () => {
  test('ends after 4 idle hours, which any use restarts', async () => {
    const who = await foyer.customer()
    await shift(who, `last_used_at = now() - interval '3 hours 59 minutes'`)
    expect(await alive(who)).toBe(true)
    await shift(who, `last_used_at = last_used_at - interval '3 hours 59 minutes'`)
    expect(await alive(who)).toBe(true)
    await shift(who, `last_used_at = now() - interval '4 hours 1 second'`)
    expect(await alive(who)).toBe(false)
  })

  test('is not kept alive by polling in the background', async () => {
    const who = await foyer.customer()
    await shift(who, `last_used_at = now() - interval '3 hours'`)
    expect((await foyer.ask(dashboard.get, {}, who, { 'x-background': '1' })).status).toBe(200)
    await shift(who, `last_used_at = last_used_at - interval '61 minutes'`)
    expect(await alive(who)).toBe(false)
  })

  test('ends after 12 hours, however much it is used', async () => {
    const who = await foyer.customer()
    const { rows } = await admin.query<{ hours: number }>(
      'select extract(epoch from expires_at - created_at) / 3600 as hours from sessions where token_hash = $1',
      [hashOf(who.token)],
    )
    expect(Number(rows[0]?.hours)).toBeCloseTo(12, 2)
    await shift(who, 'expires_at = now()')
    expect(await alive(who)).toBe(false)
  })

  test("ends everywhere on 'Sign out everywhere', and only the person's own", async () => {
    const [who, other] = [await foyer.customer(), await foyer.customer()]
    const elsewhere = foyer.signedIn((await login(who.user.email)).body.data)
    await foyer.get(auth.logout, {}, who)
    expect([await alive(who), await alive(elsewhere), await alive(other)]).toEqual([false, false, true])
  })

  test('is affected by a downgrade, a disabling and a deletion from its next request', async () => {
    const editor = await foyer.customer()
    const write = (who: Person) => foyer.send(properties.create, {}, who)
    const colleague = await foyer.invited(editor)
    expectRefused(await write(colleague), invalid({ name: [messages.fields.required] }))
    await foyer.get(users.update, { id: colleague.user.id, user_type_id: 1 }, editor)
    expectRefused(await write(colleague), forbidden())
    await foyer.get(users.deactivate, { ids: [colleague.user.id] }, editor)
    expect(await alive(colleague)).toBe(false)
    await foyer.get(users.activate, { id: colleague.user.id }, editor)
    const again = foyer.signedIn((await login(colleague.user.email)).body.data)
    expect(await alive(again)).toBe(true)
    await foyer.get(users.remove, { id: colleague.user.id }, editor)
    expect(await alive(again)).toBe(false)
  })

  test('may make 1,200 requests a minute; then the answer says how long to wait', async () => {
    const who = await foyer.customer()
    expect(await alive(who)).toBe(true)
    await admin.query(`update rate_limits set hits = 1200 where key = 'token:' || encode($1, 'hex')`, [
      hashOf(who.token),
    ])
    const refused = await foyer.ask(auth.me, {}, who)
    expectRefused(refused, tooMuchOf('Too many requests were sent at once. Please wait a moment and try again.'))
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('may make as many requests as the operator configures', async () => {
    const strict = await openFoyer({ env: { REQUESTS_PER_MINUTE: '3' } })
    try {
      const who = await strict.customer()
      for (let asked = 1; asked <= 3; asked++) await strict.get(auth.me, {}, who)
      expectRefused(
        await strict.ask(auth.me, {}, who),
        tooMuchOf('Too many requests were sent at once. Please wait a moment and try again.'),
      )
    } finally {
      await strict.close()
    }
  })

  test('is stored in the database only as the hash of its token', async () => {
    const who = await foyer.customer()
    const { rows } = await admin.query<{ text: string }>(`select string_agg(s::text, '') as text from sessions s`)
    expect(rows[0]?.text).not.toContain(who.token)
    expect(rows[0]?.text).toContain(hashOf(who.token).toString('hex'))
  })
})

describe('a forgotten password', () => {
  const forget = (email: string) => foyer.ask(auth.forgotPassword, { email }, null)
  const reset = (token: string, to = 'another long password') =>
    foyer.ask(auth.resetPassword, { token, password: to }, null)
  async function asked() {
    const who = await foyer.customer()
    await forget(who.user.email)
    return { who, token: foyer.tokenIn(await foyer.mailTo(who.user.email)) }
  }

  test('is answered alike for a known and an unknown address, and only the known one gets a mail', async () => {
    const { user } = await foyer.customer()
    const [known, unknown] = [await forget(user.email), await forget('nobody@example.com')]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    expect(await foyer.mailTo(user.email)).toContain('http://foyer.test/customer/reset-password?token=')
    expect(await foyer.mailTo('nobody@example.com')).toBe('')
  })

  test('is answered no sooner than a minimum time for both; so is a wrong password', async () => {
    const { user } = await foyer.customer()
    for (const email of [user.email, 'nobody@example.com'])
      for (const attempt of [forget, (address: string) => login(address, 'wrong')]) {
        const start = performance.now()
        await attempt(email)
        expect(performance.now() - start).toBeGreaterThanOrEqual(99)
      }
  })

  test('is replaced once, and every session of the person ends', async () => {
    const { who, token } = await asked()
    expect((await reset(token)).status).toBe(200)
    expect(await alive(who)).toBe(false)
    expectRefused(await login(who.user.email), wrongCredentials())
    expect((await login(who.user.email, 'another long password')).status).toBe(200)
    expectRefused(await reset(token, 'a third long password'), linkUsedUp())
  })

  test('is set by only one of two who use the link at once', async () => {
    const { token } = await asked()
    const answers = await Promise.all([reset(token, 'the first long one'), reset(token, 'the second long one')])
    expectRefusedBut(1, answers, linkUsedUp())
  })

  test('can be set for 30 minutes; a newer link invalidates the older one', async () => {
    const { who, token } = await asked()
    await forget(who.user.email)
    expectRefused(await reset(token), linkUsedUp())
    const newer = foyer.tokenIn(await foyer.mailTo(who.user.email))
    await admin.query(`update password_resets set expires_at = expires_at - interval '30 minutes'`)
    expectRefused(await reset(newer), linkUsedUp())
    expect(await alive(who)).toBe(true)
  })

  test('may not be replaced by a common or a short one', async () => {
    const { token } = await asked()
    expectRefused(await reset(token, 'password1234'), invalid({ password: [tooCommon] }))
    expectRefused(await reset(token, 'elevenchars'), invalid({ password: [tooShort] }))
    expect((await reset(token)).status).toBe(200)
  })

  test('requested by others until the limit is reached can still be requested from a browser that its owner has used', async () => {
    const { user } = await foyer.customer()
    const mark = { 'app-context': 'customer', 'x-device': 'the-browser-of-its-owner' }
    const { data } = (await foyer.ask(auth.login, { email: user.email, password }, null, mark)).body
    const device = 'device' in data ? (data.device ?? '') : ''
    const mails = async () =>
      (
        await admin.query('select from outbox_mails where recipient_email = $1 and subject like $2', [
          user.email,
          'Set a new%',
        ])
      ).rowCount
    for (let asked = 0; asked < 7; asked++) await forget(user.email)
    expect(await mails()).toBe(5)
    await foyer.ask(auth.forgotPassword, { email: user.email }, null, { 'x-device': device })
    expect(await mails()).toBe(6)
    await foyer.ask(auth.forgotPassword, { email: user.email }, null, { 'x-device': 'the-browser-of-its-owner' })
    expect(await mails()).toBe(6)
  })

  test('may be requested 20 times an hour from one address, and its link guessed no more often', async () => {
    for (const attempt of [() => forget('nobody@example.com'), () => reset('x'.repeat(43))]) {
      await admin.query('delete from rate_limits')
      for (let round = 1; round <= 20; round++) expect((await attempt()).status).not.toBe(refusals.tooMany.status)
      expectRefused(await attempt(), refusals.tooMany)
    }
  })
})

describe('signing up', () => {
  const application = () => ({
    company_name: unique('Operator'),
    name: 'Ann',
    email: `${unique('ann').replaceAll(' ', '.')}@example.com`,
    password,
  })
  const houses: TestFoyer[] = []
  const houseWith = async (SIGNUP: string) => {
    const one = await openFoyer({ env: { SIGNUP } })
    houses.push(one)
    return one
  }
  afterEach(async () => {
    for (const one of houses.splice(0)) await one.close()
  })

  test('makes a customer with its first editor, starter packages, a portal and categories', async () => {
    const made = await foyer.ask(auth.signup, application(), null)
    expect(made.status).toBe(201)
    const { user } = entered(made.body.data)
    expect(user).toMatchObject({ owner_type: 'Customer', owner_id: user.customer.id, user_type_id: 2 })
    const { rows } = await admin.query(
      `select (select count(*)::int from packages where customer_id = $1) as packages,
         (select count(*)::int from portals where customer_id = $1) as portals`,
      [user.customer.id],
    )
    expect(rows).toEqual([{ packages: 3, portals: 1 }])
  })

  test('is open until the first customer exists, and only one of several concurrent sign-ups succeeds', async () => {
    const fresh = await houseWith('first')
    const answers = await Promise.all(Array.from({ length: 4 }, () => fresh.ask(auth.signup, application(), null)))
    expectRefusedBut(1, answers, forbidden())
    expectRefused(await fresh.ask(auth.signup, application(), null), forbidden())
  })

  test('checks no password once it is closed', async () => {
    const fresh = await houseWith('first')
    const first = application()
    expect((await fresh.ask(auth.signup, first, null)).status).toBe(201)
    for (const given of [password, `${password}!`])
      expectRefused(await fresh.ask(auth.signup, { ...first, password: given }, null), forbidden())
  })

  test('can be closed for good', async () => {
    const closed = await houseWith('closed')
    expectRefused(await closed.ask(auth.signup, application(), null), forbidden())
  })

  test('with an address that has a login and its own password opens a further customer, also when two race', async () => {
    const twin = application()
    const answers = await Promise.all([
      foyer.ask(auth.signup, twin, null),
      foyer.ask(auth.signup, { ...twin, email: twin.email.toUpperCase() }, null),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([201, 201])
    const [one, other] = answers.map(({ body }) => foyer.signedIn(body.data))
    expect(one?.user.customer.id).not.toBe(other?.user.customer.id)
    const third = foyer.signedIn((await foyer.get(auth.signup, { ...twin, company_name: unique('Third') })).data)
    const { data: me } = await foyer.get(auth.me, {}, third)
    expect(new Set(me.users.map(({ id }) => id))).toEqual(new Set([one?.user.id, other?.user.id]))
    expect(me.customer.id).toBe(third.user.customer.id)
  })

  test('with another password is answered as a log-in is, counted as its failure, and makes nothing', async () => {
    const { user } = await foyer.customer()
    const from = { 'x-forwarded-for': elsewhere }
    const wrong = { ...application(), email: user.email, password: `${password}!` }
    const count = async () => (await admin.query<{ all: number }>('select count(*)::int as all from customers')).rows[0]
    const before = await count()
    expectRefused(await loginFrom(elsewhere, user.email, wrong.password), wrongCredentials())
    for (let failure = 2; failure <= 10; failure++) {
      expectRefused(await foyer.ask(auth.signup, wrong, null, from), wrongCredentials())
    }
    expectRefused(await foyer.ask(auth.signup, wrong, null, from), tooManySignIns)
    // As at a log-in, the right password is refused there, too.
    expectRefused(await foyer.ask(auth.signup, { ...wrong, password }, null, from), tooManySignIns)
    expectRefused(await loginFrom(elsewhere, user.email), tooManySignIns)
    expect(await count()).toEqual(before)
    const { rows } = await admin.query<{ hits: number }>('select hits from rate_limits where key = $1', [
      `login-from:${elsewhere}`,
    ])
    expect(rows[0]?.hits).toBeGreaterThanOrEqual(10)
    const { rows: lines } = await admin.query(
      'select action from activity where user_id = $1 order by id desc limit 1',
      [user.id],
    )
    expect(lines).toEqual([{ action: 'failed_login' }])
  })

  test('requires a password of 12 characters that is not on the common list', async () => {
    for (const weak of ['elevenchars', 'password1234', 'PASSWORD1234', 'qwertyuiop123', ' password1234 '])
      expectRefused(
        await foyer.ask(auth.signup, { ...application(), password: weak }, null),
        invalid({ password: [weak === 'elevenchars' ? tooShort : tooCommon] }),
        weak,
      )
  })

  test('requires a password that is more than one repeated symbol', async () => {
    for (const weak of ['aaaaaaaaaaaa', '            ', ' 1111111111111 '])
      expectRefused(
        await foyer.ask(auth.signup, { ...application(), password: weak }, null),
        invalid({ password: [tooCommon] }),
        weak,
      )
  })

  test('may be tried 20 times an hour from one address, and invitations may be accepted 100 times', async () => {
    await admin.query(
      `insert into rate_limits select key, uses, now() + interval '1 hour'
       from (values ('signup-from:127.0.0.1', 20), ('accept-from:127.0.0.1', 100)) as v(key, uses)`,
    )
    for (const refused of [
      await foyer.ask(auth.signup, application(), null),
      await foyer.ask(auth.acceptInvitation, { token: 'a'.repeat(43), name: 'Ada', password }, null),
    ]) {
      expectRefused(refused, refusals.tooMany)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
    }
  })
})

// Own sign-in: seeing and ending one's sessions, changing the password, the second factor, and the mails about it.
import { Secret, TOTP } from 'otpauth'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as groups from '#contract/groups.ts'
import * as own from '#contract/own-sign-in.ts'
import * as security from '#contract/security.ts'
import * as auth from '#contract/auth.ts'
import * as users from '#contract/users.ts'
import * as webhooks from '#contract/webhooks.ts'
import { refusals } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { removeLostSecondFactor } from '#server/resources/auth/lost-second-factor.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { wrongCredentials } from '#server/resources/auth/logins.ts'
import { entered, openFoyer, password, unique, type Person, type TestFoyer } from '#test/foyer.ts'
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

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const next = 'quiet lantern by the harbour'
const log = async (who: Person, headers: Record<string, string> = {}, given = password) =>
  foyer.ask(auth.login, { email: who.user.email, password: given }, null, headers)
const loggedIn = async (who: Person, headers: Record<string, string> = {}) =>
  foyer.signedIn((await log(who, headers)).body.data)
const alive = async (who: Person) => (await foyer.ask(auth.me, {}, who)).status === 200

/** The code of a telephone whose clock is `ahead` half minutes fast. */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })

/** Sets a second factor up. Its first code is marked as unused, as the tests need the few codes that are valid at one time. */
async function withSecondFactor(who: Person) {
  const { secret } = (await foyer.get(own.beginSecondFactor, { current_password: password }, who)).data
  const { recovery_codes } = (await foyer.get(own.confirmSecondFactor, { code: codeOf(secret) }, who)).data
  await admin.query('update second_factors set last_step = 0')
  return { secret, recovery_codes }
}
async function challenged(who: Person, headers: Record<string, string> = {}): Promise<string> {
  const { data } = (await log(who, headers)).body
  if (!('challenge' in data)) throw new Error('no second factor was asked')
  return data.challenge
}
const answer = (challenge: string, code: string, headers: Record<string, string> = {}) =>
  foyer.ask(auth.secondFactor, { challenge, code }, null, headers)

describe('the sessions of a login', () => {
  test('are listed with address, device and start, and are ended one by one', async () => {
    const editor = await foyer.customer()
    const there = await loggedIn(editor, { 'user-agent': windows, 'x-forwarded-for': '203.0.113.5' })
    const { data } = await foyer.get(own.list, {}, editor)
    expect(data).toHaveLength(2)
    const other = data.find(({ current }) => !current)
    expect(other).toMatchObject({
      device: 'Firefox on Windows',
      ip: '203.0.113.5',
      owner_name: editor.user.owner_name,
    })
    expect(JSON.stringify(data)).not.toContain(there.token)

    expect((await foyer.ask(own.end, { session: other?.session ?? '' }, editor)).status).toBe(200)
    expect([await alive(there), await alive(editor)]).toEqual([false, true])
    expectRefused(await foyer.ask(own.end, { session: other?.session ?? '' }, editor), notFound())
  })

  test('are nobody else’s to see or end', async () => {
    const [editor, neighbour] = [await foyer.customer(), await foyer.customer()]
    const [mine] = (await foyer.get(own.list, {}, editor)).data
    expectRefused(await foyer.ask(own.end, { session: mine?.session ?? '' }, neighbour), notFound())
    expect((await foyer.get(own.list, {}, neighbour)).data).toHaveLength(1)
    expect(await alive(editor)).toBe(true)
    const { program } = await foyer.apiKey(editor)
    expectRefused(await foyer.ask(own.list, {}, program), forbidden())
  })

  test('keep their beginning and their end when switching users', async () => {
    const editor = await foyer.customer()
    const colleague = await foyer.invited(editor)
    const group = await foyer.group(editor)
    const { email } = editor.user
    await foyer.get(users.invite, { email, name: 'Ann', owner_type: 'Group', owner_id: group.id }, colleague)
    const token = foyer.tokenIn(await foyer.mailTo(email))
    await foyer.get(auth.acceptInvitation, { token, password }, null)
    await admin.query(
      `update sessions set expires_at = now() + interval '10 minutes', created_at = now() - interval '11 hours'
      where user_id = $1`,
      [editor.user.id],
    )
    const other = (await foyer.get(auth.me, {}, editor)).data.users[0]
    const switched = foyer.signedIn((await foyer.get(auth.switchUser, { user_id: other?.id ?? 0 }, editor)).data)
    expect(await alive(editor)).toBe(false)
    await foyer.get(auth.me, {}, switched)
    const { rows } = await admin.query<{ soon: boolean; old: boolean }>(
      `select expires_at < now() + interval '11 minutes' as soon, created_at < now() - interval '10 hours' as old
       from sessions where user_id = $1 order by last_used_at desc limit 1`,
      [switched.user.id],
    )
    expect(rows).toEqual([{ soon: true, old: true }])
  })

  test('end when their user is disabled or removed, and are not revived with the user', async () => {
    const editor = await foyer.customer()
    const colleague = await foyer.invited(editor)
    await foyer.get(users.deactivate, { ids: [colleague.user.id] }, editor)
    await foyer.get(users.activate, { id: colleague.user.id }, editor)
    expect(await alive(colleague)).toBe(false)
    const removed = await foyer.invited(editor)
    await foyer.get(users.remove, { id: removed.user.id }, editor)
    const { rows } = await admin.query('select from sessions where user_id = $1', [removed.user.id])
    expect(rows).toEqual([])
  })
})

describe('changing the password', () => {
  test('asks for the present one, ends the other sessions, and is reported by mail', async () => {
    const editor = await foyer.customer()
    const other = await loggedIn(editor)
    const change = (current_password: string, to = next) =>
      foyer.ask(own.changePassword, { current_password, password: to }, editor)
    expectRefused(
      await change('not the present one'),
      invalid({ current_password: ['This is not your present password.'] }),
    )
    expectRefused(
      await change(password, 'password1234'),
      invalid({ password: ['This password is too common. Please choose another one.'] }),
    )
    expectRefused(await change(password, 'short'), invalid({ password: ['Please use at least 12 characters'] }))
    expect(await alive(other)).toBe(true)

    expect((await change(password)).status).toBe(200)
    expect([await alive(other), await alive(editor)]).toEqual([false, true])
    expect(await foyer.mailTo(editor.user.email)).toContain('Your password has been changed')
    expectRefused(await log(editor), wrongCredentials())
    expect((await log(editor, {}, next)).status).toBe(200)
  })

  test('counts no attempt that there was no time to check', async () => {
    const editor = await foyer.customer()
    const change = () => foyer.ask(own.changePassword, { current_password: password, password: next }, editor)
    await whileStalled(admin, 'door_login_of(integer)', async () => {
      for (let busy = 1; busy <= 12; busy++) expectRefused(await change(), refusals.unavailable)
    })
    expect((await change()).status).toBe(200)
  })

  test('is refused after ten wrong attempts, with the time to wait', async () => {
    const editor = await foyer.customer()
    const change = (current_password: string) =>
      foyer.ask(own.changePassword, { current_password, password: next }, editor)
    for (let wrong = 1; wrong <= 10; wrong++)
      expectRefused(await change('a guess'), invalid({ current_password: ['This is not your present password.'] }))
    const refused = await change(password)
    expectRefused(refused, refusals.tooMany)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
  })

  test('wrong attempts of one session never refuse the right password of another, and switching users gives no new ones', async () => {
    const owner = await foyer.customer()
    const stolen = foyer.signedIn((await log(owner)).body.data)
    const change = (who: Person, current_password: string) =>
      foyer.ask(own.changePassword, { current_password, password: next }, who)
    for (let wrong = 1; wrong <= 10; wrong++)
      expectRefused(
        await change(stolen, 'a guess'),
        invalid({ current_password: ['This is not your present password.'] }),
      )
    const switched = foyer.signedIn((await foyer.get(auth.switchUser, { user_id: owner.user.id }, stolen)).data)
    expectRefused(await change(switched, 'a guess'), refusals.tooMany)
    expect((await change(owner, password)).status).toBe(200)
  })
})

describe('the second factor', () => {
  test('is asked after the password; a code of the app opens the session, and works once', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    expect(await foyer.mailTo(editor.user.email)).toContain('A second factor has been set up')
    const code = codeOf(secret)
    const challenge = await challenged(editor)
    const answered = await answer(challenge, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect(answered.status).toBe(200)
    expect(await alive(foyer.signedIn(answered.body.data))).toBe(true)
    // Neither the code nor the challenge works again.
    expectRefused(
      await answer(await challenged(editor), code),
      invalid({ code: ['This code is wrong, or has already been used.'] }),
    )
    expectRefused(
      await answer(challenge, codeOf(secret, 1)),
      invalid({ challenge: ['This took too long, or too many tries. Please sign in again.'] }),
    )
    expect((await answer(await challenged(editor), codeOf(secret, 1))).status).toBe(200)
  })

  test('takes one code once, however often it is sent at the same time', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    const challenges = await Promise.all([1, 2, 3, 4].map(() => challenged(editor)))
    const code = codeOf(secret)
    const answers = await Promise.all(challenges.map((challenge) => answer(challenge, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('takes each recovery code once, however it is typed', async () => {
    const editor = await foyer.customer()
    const { recovery_codes } = await withSecondFactor(editor)
    const [first = '', second = ''] = recovery_codes
    expect(recovery_codes).toHaveLength(10)
    expect((await answer(await challenged(editor), first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expectRefused(
      await answer(await challenged(editor), first),
      invalid({ code: ['This code is wrong, or has already been used.'] }),
    )
    expect((await answer(await challenged(editor), second)).status).toBe(200)
    expect((await foyer.get(own.secondFactorState, {}, editor)).data.recovery_codes_left).toBe(8)
  })

  test('is kept sealed, and its recovery codes hashed', async () => {
    const editor = await foyer.customer()
    const { secret, recovery_codes } = await withSecondFactor(editor)
    const { rows } = await admin.query<{ kept: string }>(
      `select encode(sealed_secret, 'escape') as kept from second_factors union all select code_hash from recovery_codes`,
    )
    const kept = rows.map((row) => row.kept).join('\n')
    for (const plain of [secret, ...recovery_codes, ...recovery_codes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(plain)
  })

  test('cannot be guessed: five codes a challenge, and ten for an account and address', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    const from = { 'x-forwarded-for': '203.0.113.77' }
    const challenge = await challenged(editor, from)
    for (let guess = 1; guess <= 5; guess++)
      expectRefused(
        await answer(challenge, '000000', from),
        invalid({ code: ['This code is wrong, or has already been used.'] }),
      )
    expectRefused(
      await answer(challenge, codeOf(secret), from),
      invalid({ challenge: ['This took too long, or too many tries. Please sign in again.'] }),
    )
    const again = await challenged(editor, from)
    for (let guess = 1; guess <= 3; guess++)
      expectRefused(
        await answer(again, '000000', from),
        invalid({ code: ['This code is wrong, or has already been used.'] }),
      )
    expectRefused(await answer(again, codeOf(secret), from), tooManySignIns)
    // The password alone does not reset the count, and from elsewhere its owner gets in.
    expectRefused(await log(editor, from), tooManySignIns)
    expect((await answer(await challenged(editor), codeOf(secret))).status).toBe(200)
  })

  test('counts no code that there was no time to check', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    const from = { 'x-forwarded-for': '203.0.113.78' }
    const challenge = await challenged(editor, from)
    await whileStalled(admin, 'door_second_factor(integer)', async () => {
      for (let busy = 1; busy <= 12; busy++)
        expectRefused(await answer(challenge, '000000', from), refusals.unavailable)
    })
    const { rows } = await admin.query<{ hits: number }>(`select hits from rate_limits where key like 'login:%.78'`)
    expect(rows).toEqual([{ hits: 1 }])
    expect((await answer(challenge, codeOf(secret), from)).status).toBe(200)
  })

  test('cannot be guessed from many addresses either, and its owner is not locked out where they are known', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    const from = (host: number) => ({ 'x-forwarded-for': `198.51.100.${host}` })
    const guess = async (host: number) => answer(await challenged(editor, from(host)), '000000', from(host))
    expectRefused(await guess(1), invalid({ code: ['This code is wrong, or has already been used.'] }))
    await admin.query(`update rate_limits set hits = hits + 28 where key like 'second-factor:%'`)
    expectRefused(await guess(2), invalid({ code: ['This code is wrong, or has already been used.'] }))
    expectRefused(await guess(3), refusals.tooMany)
    expect((await answer(await challenged(editor), codeOf(secret))).status).toBe(200)
  })

  test('is set up, renewed and removed only with the present password and a code', async () => {
    const editor = await foyer.customer()
    expectRefused(
      await foyer.ask(own.beginSecondFactor, { current_password: 'a guess' }, editor),
      invalid({ current_password: ['This is not your present password.'] }),
    )
    expectRefused(
      await foyer.ask(own.confirmSecondFactor, { code: '123456' }, editor),
      invalid({ code: ['There is nothing to confirm. Please begin again.'] }),
    )
    const { secret, recovery_codes } = await withSecondFactor(editor)
    expectRefused(
      await foyer.ask(own.beginSecondFactor, { current_password: password }, editor),
      invalid({ current_password: ['There is already a second factor. Remove it first.'] }),
    )
    const remove = (current_password: string, code: string) =>
      foyer.ask(own.removeSecondFactor, { current_password, code }, editor)
    expectRefused(
      await remove('a guess', codeOf(secret)),
      invalid({ current_password: ['This is not your present password.'] }),
    )
    expectRefused(
      await remove(password, '000000'),
      invalid({ code: ['This code is wrong, or has already been used.'] }),
    )
    const renewed = await foyer.get(
      own.renewRecoveryCodes,
      { current_password: password, code: codeOf(secret) },
      editor,
    )
    expect(renewed.data.recovery_codes).toHaveLength(10)
    expectRefused(
      await answer(await challenged(editor), recovery_codes[0] ?? ''),
      invalid({ code: ['This code is wrong, or has already been used.'] }),
    )
    expect((await remove(password, renewed.data.recovery_codes[0] ?? '')).status).toBe(200)
    expect(await foyer.mailTo(editor.user.email)).toContain('The second factor has been removed')
    expect('access_token' in (await log(editor)).body.data).toBe(true)
  })

  test('that is lost is removed by the operator: logged, reported by mail, and signed out everywhere', async () => {
    const editor = await foyer.customer()
    await withSecondFactor(editor)
    const services = foyer.services
    await removeLostSecondFactor(services, editor.user.email.toUpperCase())
    expect(await foyer.mailTo(editor.user.email)).toContain('removed your second factor')
    expect(await alive(editor)).toBe(false)
    const again = await loggedIn(editor)
    const { data: lines } = await foyer.get(activity.list, {}, again)
    expect(lines).toContainEqual(
      expect.objectContaining({
        actor_name: 'Foyer (operator)',
        principal_kind: 'job',
        after: { second_factor: 'removed by the operator' },
      }),
    )
    await expect(removeLostSecondFactor(services, editor.user.email)).rejects.toThrow('has no second factor')
    await expect(removeLostSecondFactor(services, 'nobody@example.com')).rejects.toThrow('Nobody signs in')
  })

  test('is asked for when an invitation is accepted with a login that has one', async () => {
    const editor = await foyer.customer()
    const guest = await foyer.customer()
    const { secret } = await withSecondFactor(guest)
    const { email } = guest.user
    await foyer.get(users.invite, { email, name: 'Ann' }, editor)
    const { data } = await foyer.get(
      auth.acceptInvitation,
      { token: foyer.tokenIn(await foyer.mailTo(email)), password },
      null,
    )
    if (!('challenge' in data)) throw new Error('no second factor was asked')
    const { body } = await answer(data.challenge, codeOf(secret))
    expect(body.data.user.customer.id).toBe(editor.user.customer.id)
  })

  test('is asked for when a login that has one signs up a further customer', async () => {
    const editor = await foyer.customer()
    const { secret } = await withSecondFactor(editor)
    const { data } = await foyer.get(auth.signup, {
      company_name: unique('Further'),
      name: 'Ann',
      email: editor.user.email,
      password,
    })
    if (!('challenge' in data)) throw new Error('no second factor was asked')
    const { user } = (await answer(data.challenge, codeOf(secret))).body.data
    expect(user.customer.name).toMatch(/^Further/)
  })

  test('that a customer requires comes before everything else, at the next request', async () => {
    const editor = await foyer.customer()
    const colleague = await foyer.invited(editor)
    const require = (second_factor_required: boolean, who = editor) =>
      foyer.ask(security.update, { second_factor_required }, who)
    expectRefused(
      await require(true),
      invalid({ second_factor_required: ['Set up your own second factor first, then require it of others.'] }),
    )
    await withSecondFactor(editor)
    expect((await require(true)).body.data).toEqual({ second_factor_required: true, people: 2, people_without: 1 })

    expect((await foyer.ask(groups.list, {}, editor)).status).toBe(200)
    expectRefused(await foyer.ask(groups.list, {}, colleague), forbidden())
    const me = (await foyer.get(auth.me, {}, colleague)).data
    expect([me.second_factor_due, me.can]).toEqual([true, { sessions: ['read', 'write'] }])
    await withSecondFactor(colleague)
    expect((await foyer.ask(groups.list, {}, colleague)).status).toBe(200)
    expect((await foyer.get(auth.me, {}, colleague)).data.second_factor_due).toBe(false)
    expect((await foyer.get(security.get, {}, editor)).data.people_without).toBe(0)
  })
})

describe('a sign-in on a device not seen before', () => {
  const subject = 'on a device that you have not used before'
  test('is reported by mail, once, and not if the browser sends its mark', async () => {
    const editor = await foyer.customer()
    const { email } = editor.user
    await log(editor)
    expect(await foyer.mailTo(email)).not.toContain(subject)
    const mark = { 'x-device': 'a-mark-that-one-browser-keeps', 'user-agent': phone }
    await log(editor, { ...mark, 'x-forwarded-for': '203.0.113.200' })
    const mail = await foyer.mailTo(email)
    expect(mail).toContain(subject)
    expect(mail).toContain('Safari on iOS')
    expect(mail).toContain('203.0.113.200')
    const { rows: before } = await admin.query('select from outbox_mails where recipient_email = $1', [email])
    // The same telephone at another address.
    await log(editor, { ...mark, 'x-forwarded-for': '198.51.100.77' })
    const { rows } = await admin.query('select from outbox_mails where recipient_email = $1', [email])
    expect(rows.length).toBe(before.length)
  })

  /** What of before is left to somebody who proves an address: a second factor, a key, a webhook, a session. */
  async function leftAfter(who: Person, prove: () => Promise<unknown>) {
    await withSecondFactor(who)
    const { token } = (await foyer.get(apiKeys.createForUser, { name: 'Before', permissions: ['read'] }, who)).data
    const program = { token, context: who.context }
    expect((await foyer.ask(groups.list, {}, program)).status).toBe(200)
    const { id } = (
      await foyer.get(webhooks.create, { url: 'https://elsewhere.example/', events: ['guest.signed_in'] }, who)
    ).data
    await prove()
    const { status, body } = await log(who, {}, next)
    expect(status).toBe(200)
    return {
      factor: 'challenge' in body.data,
      key: (await foyer.ask(groups.list, {}, program)).status,
      webhook: (await admin.query('select from webhooks where id = $1 and active', [id])).rows.length === 1,
      session: await alive(who),
    }
  }
  const nothing = { factor: false, key: 401, webhook: false, session: false }

  test('a reset of an unproven address leaves no second factor, key, webhook or session; of a proven one all but the session', async () => {
    const byReset = ({ user: { email } }: Person) =>
      foyer
        .get(auth.forgotPassword, { email }, null)
        .then(async () => foyer.tokenIn(await foyer.mailTo(email)))
        .then((token) => foyer.get(auth.resetPassword, { token, password: next }, null))
    const unproven = await foyer.signedUp()
    expect(await leftAfter(unproven, () => byReset(unproven))).toEqual(nothing)
    const proven = await foyer.customer()
    expect(await leftAfter(proven, () => byReset(proven))).toEqual({
      factor: true,
      key: 200,
      webhook: true,
      session: false,
    })
  })

  test('an invitation to an unproven address asks for no password of before, and leaves nothing of it', async () => {
    const inviter = await foyer.customer()
    const squatter = await foyer.signedUp()
    const accept = async () => {
      const { email } = squatter.user
      await foyer.get(users.invite, { name: 'The holder', email, user_type_id: 2 }, inviter)
      return foyer.get(auth.acceptInvitation, { token: foyer.tokenIn(await foyer.mailTo(email)), password: next }, null)
    }
    expect(await leftAfter(squatter, accept)).toEqual(nothing)
  })

  test('a reset is reported by mail, too', async () => {
    const { user } = await foyer.customer()
    await foyer.get(auth.forgotPassword, { email: user.email }, null)
    const token = foyer.tokenIn(await foyer.mailTo(user.email))
    await foyer.get(auth.resetPassword, { token, password: 'another long password' }, null)
    expect(await foyer.mailTo(user.email)).toContain('Your password has been changed')
    expect(
      entered((await foyer.get(auth.login, { email: user.email, password: 'another long password' }, null)).data),
    ).toBeTruthy()
  })
})

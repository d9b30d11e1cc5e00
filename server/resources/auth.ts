// Sessions: signing up, in and out; forgotten passwords; accepting an invitation; acting as another of one's users.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { constants } from '#contract/constants.ts'
import * as contract from '#contract/auth.ts'
import type { Language } from '#contract/languages.ts'
import { callerOf, hashOf, newToken, signedIn, type LoginUser } from '#server/access/authenticate.ts'
import { countTry, refuseCodesFromEverywhere, type Try } from '#server/fairness/guesses.ts'
import { limit } from '#server/fairness/limits.ts'
import { deviceHash, deviceIn, provenMark, signedMark } from '#server/access/device.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Services } from '#server/services.ts'
import { newSignIn, passwordReset, signInChanged, type Mail } from '#server/deliveries/mail-templates.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { networkOf } from '#server/access/network.ts'
import { refuseGuessable, type Owner } from '#server/access/chosen-passwords.ts'
import { hashPassword, passwordMatches } from '#server/access/passwords.ts'
import { forbidden, invalid, Refused } from '#server/errors/refused.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { endMade } from './made-since.ts'
import { askToConfirm, linkUsedUp, noteConfirmed } from './address-confirmation.ts'
import { secondFactorOf, takeCode, wrongCode } from './own-sign-in.ts'

const hour_s = 3600
const session_life_s = 12 * hour_s
const reset_life_s = 30 * 60
/** Password reset mails to one e-mail address. */
const resets_per_hour_max = 5
/** Per hour and IP address. A whole team may accept from one office: as many as may be invited in a day. */
const tries = { signup: 20, forgot: 20, accept: 100 }
const challenge = { life_s: 5 * 60, tries_max: 5 }

/** Answers that could reveal whether an address is known take at least this long, which is longer than either case needs. */
const answered_after_ms = 100
const minimumDelay = () => sleep(answered_after_ms, undefined, { ref: false })

const wrongCredentials = () => invalid({ email: ['These credentials do not match our records.'] })
const challengeOver = () => invalid({ challenge: ['This took too long, or too many tries. Please sign in again.'] })

/** With the language that the person has chosen. */
type Person = LoginUser & { language: Language | null }

const personOf = (user: Person) => {
  const caller = callerOf(user, null)
  return {
    id: user.user_id,
    name: user.name,
    email: user.email,
    ...caller.owner,
    owner_name: user.owner_name,
    user_type_id: user.user_type_id,
    customer: { id: user.customer_id, name: user.customer_name },
    can: caller.can,
    second_factor_due: user.second_factor_due,
    mails_wait: user.mails_wait,
    language: user.language,
    sample: user.role === 'sample',
  }
}

export default (services: Services) => {
  const { tenancy, queue, notes, public_url, signup, fingerprint } = services
  const usersOf = (login_id: number) =>
    tenancy.callFunction(sql<Person>`select *, door_language(${login_id}) as language from door_users(${login_id})`)

  /** Mails the user, on behalf of the first customer that they work for. */
  const notify = ({ customer_id }: { customer_id: number }, mail: Mail) =>
    tenancy.enter(callerOfJob(customer_id, 'sign-in'), 'write', (scope) => queueNotice(scope, queue, mail))

  const from = (request: FastifyRequest) => ({ ip: request.ip, device: provenMark(fingerprint, request) })

  async function answerAs(login_id: number, user_id: number, token: string) {
    const users = await usersOf(login_id)
    const user = users.find((one) => one.user_id === user_id)
    if (!user) throw new Refused('unauthenticated')
    const others = users.filter((one) => one !== user)
    return { user, answer: { access_token: token, user: personOf(user), users: others.map(personOf) } }
  }

  /** Signs a login in as one of its users; its owner is notified of a device that it has not been used on before. */
  async function open(login_id: number, user_id: number, request: FastifyRequest) {
    const token = newToken()
    const agent = request.headers['user-agent'] ?? null
    const [opened] = await tenancy.callFunction(sql<{ done: boolean }>`
      select door_open(${login_id}, ${user_id}, ${hashOf(token)}, ${session_life_s}, ${request.ip}::inet, ${agent}) as done`)
    if (!opened?.done) throw new Refused('unauthenticated')
    const { user, answer } = await answerAs(login_id, user_id, token)
    const [noted] = await tenancy.callFunction(sql<{ unseen: boolean }>`
      select door_note_network(${login_id}, ${networkOf(request.ip)}),
        door_note_device(${login_id}, ${deviceHash(login_id, request)}) as unseen`)
    if (noted?.unseen) {
      const link = `${public_url}/customer/forgot-password`
      await notify(user, newSignIn(user, { device: deviceIn(agent), ip: request.ip, at: new Date(), link }))
    }
    return { ...answer, device: signedMark(fingerprint, request) }
  }

  /** Users with a second factor are asked for it; all others are signed in. */
  async function openOrChallenge(login_id: number, user_id: number, request: FastifyRequest) {
    if (!(await secondFactorOf(tenancy, login_id))?.confirmed_at) return open(login_id, user_id, request)
    const token = newToken()
    await tenancy.callFunction(
      sql`select door_challenge(${login_id}, ${user_id}, ${hashOf(token)}, ${challenge.life_s})`,
    )
    return { challenge: token }
  }

  async function loginOf(email: string) {
    const [login] = await tenancy.callFunction(
      sql<{ login_id: number; password_hash: string }>`select * from door_login(${email})`,
    )
    return login
  }

  /**
   * The hash with which an address signs up: a new one, or that of its existing login if the password is that login's. A wrong
   * password is refused and counted as a failed log-in.
   */
  async function hashToSignUp(email: string, password: string, one: Try) {
    const login = await loginOf(email)
    if (!login && one.open) return hashPassword(password)
    const fits = await passwordMatches(password, one.open ? login?.password_hash : undefined)
    if (login && fits) return login.password_hash
    throw await one.fail(login?.login_id ?? 0, wrongCredentials())
  }

  return serveUnscoped(contract, {
    async login({ input: { email, password }, request, turn }) {
      return countTry(tenancy, { email, ...from(request), pause: turn.pause }, async (one) => {
        const delay = minimumDelay()
        const login = await loginOf(email)
        // Takes equally long if there is no such login.
        const fits = await passwordMatches(password, one.open ? login?.password_hash : undefined)
        const users = fits && login ? await usersOf(login.login_id) : []
        const context = String(request.headers['app-context'] ?? '').toLowerCase()
        const user = users.find((one) => callerOf(one, null).owner.owner_type.toLowerCase() === context) ?? users[0]
        if (!login || !user) {
          const refused = await one.fail(login?.login_id ?? 0, wrongCredentials())
          turn.end()
          await delay
          throw refused
        }
        const answer = await openOrChallenge(login.login_id, user.user_id, request)
        // With a second factor this was only the first half: knowing the password alone must not reset the count.
        if ('access_token' in answer) await one.forgive()
        return answer
      })
    },

    async secondFactor({ input: { challenge: token, code }, request, turn }) {
      const token_hash = hashOf(token)
      const [asked] = await tenancy.callFunction(sql<{ login_id: number; user_id: number; email: string }>`
        select * from door_challenged(${token_hash}, ${challenge.tries_max})`)
      if (!asked) throw challengeOver()
      const { login_id, user_id, email } = asked
      const takeBackToo = () => tenancy.callFunction(sql`select door_challenge_untried(${token_hash})`)
      return countTry(tenancy, { email, ...from(request), pause: turn.pause, takeBackToo }, async (one) => {
        if (!one.open) throw await one.fail(login_id, wrongCode())
        const everywhere = await refuseCodesFromEverywhere(tenancy, { login_id, email, ...from(request) })
        if (!(await takeCode(services, login_id, code))) {
          const refused = await one.fail(login_id, wrongCode())
          await everywhere.fail()
          throw refused
        }
        const [met] = await tenancy.callFunction(
          sql<{ done: boolean }>`select door_challenge_met(${token_hash}) as done`,
        )
        if (!met?.done) throw challengeOver()
        await one.forgive()
        return open(login_id, user_id, request)
      })
    },

    async signup({ input: { company_name, name, email, password }, request, turn }) {
      if (signup === 'closed') throw forbidden()
      await limit(tenancy, `signup-from:${networkOf(request.ip)}`, tries.signup, hour_s)
      refuseGuessable(password, [{ name, email, customer_name: company_name }])
      const make = async (hash: string) => {
        const [made] = await tenancy.callFunction(sql<{ login_id: number; user_id: number }>`
          select * from door_sign_up(${company_name}, ${name}, ${email}, ${hash}, ${signup === 'first'})`)
        if (!made) throw forbidden()
        return made.login_id === 0 ? null : made
      }
      // Before the first customer there are no logins, and afterwards signing up is refused without checking any password.
      if (signup === 'first') {
        const made = await make(await hashPassword(password))
        if (!made) throw forbidden()
        return open(made.login_id, made.user_id, request)
      }
      return countTry(tenancy, { email, ...from(request), pause: turn.pause }, async (one) => {
        const sign = async () => make(await hashToSignUp(email, password, one))
        // A concurrent request may have taken the address, or changed the password, since it was checked.
        const made = (await sign()) ?? (await sign())
        if (!made) throw wrongCredentials()
        const { login_id, user_id } = made
        const user = (await usersOf(login_id)).find((each) => each.user_id === user_id)
        if (user?.mails_wait) await askToConfirm(services, { login_id, user, renew: false })
        const answer = await openOrChallenge(login_id, user_id, request)
        if ('access_token' in answer) await one.forgive()
        return answer
      })
    },

    async forgotPassword({ input: { email }, request, turn }) {
      const { device } = from(request)
      const [known_here] = await tenancy.callFunction(
        sql<{ own: boolean }>`select door_knows_device(${email}, ${device}) as own`,
      )
      // On a device that the user has signed in from before, requests from elsewhere do not count.
      const here = known_here?.own ? ` on ${device}` : ''
      if (!here) await limit(tenancy, `forgot-from:${networkOf(request.ip)}`, tries.forgot, hour_s)
      const delay = minimumDelay()
      // More would only fill a mailbox. The newest link stays valid until another is sent.
      const [asked] = await tenancy.callFunction(
        sql<{ often: number }>`select door_counted(${`forgot-by:${email}${here}`}, ${hour_s}) as often`,
      )
      if (!asked || asked.often > resets_per_hour_max) {
        turn.end()
        await delay
        return {}
      }
      const token = newToken()
      const [known] = await tenancy.callFunction(sql<{ customer_id: number; name: string; email: string }>`
        select * from door_forgot(${email}, ${hashOf(token)}, ${reset_life_s}, ${request.ip}::inet)`)
      if (known)
        await tenancy.enter(callerOfJob(known.customer_id, 'sign-in'), 'write', (scope) =>
          queueNotice(scope, queue, passwordReset(known, `${public_url}/customer/reset-password?token=${token}`)),
        )
      if (known) notes.resetRequested(known.customer_id, request.ip, known.name)
      turn.end()
      await delay
      return {}
    },

    async resetPassword({ input: { token, password, end }, request }) {
      await limit(tenancy, `reset-from:${networkOf(request.ip)}`, tries.forgot, hour_s)
      const [login] = await tenancy.callFunction(sql<{ login_id: number; name: string; email: string }>`
        select * from door_reset_of(${hashOf(token)})`)
      if (!login) throw linkUsedUp()
      refuseGuessable(password, [login, ...(await usersOf(login.login_id))])
      await endMade(services, login.login_id, end, request.ip)
      const password_hash = await hashPassword(password)
      const [reset] = await tenancy.callFunction(
        sql<{ login_id: number | null }>`select door_reset(${hashOf(token)}, ${password_hash}) as login_id`,
      )
      if (!reset?.login_id) throw linkUsedUp()
      await noteConfirmed(services, reset.login_id)
      const [user] = await usersOf(reset.login_id)
      if (user) await notify(user, signInChanged(user, 'password', `${public_url}/customer/forgot-password`))
      if (user) notes.reset(callerOf(user, request.ip))
      return {}
    },

    async acceptInvitation({ input: { token, name, password }, request }) {
      await limit(tenancy, `accept-from:${networkOf(request.ip)}`, tries.accept, hour_s)
      const [found] = await tenancy.callFunction(sql<Owner & { login_id: number | null; password_hash: string | null }>`
        select * from door_invitation(${hashOf(token)})`)
      if (!found) throw linkUsedUp()
      const password_hash = await acceptedHash(found.password_hash, password, { ...found, name: name ?? found.name })
      const [joined] = await tenancy.callFunction(sql<{ login_id: number; user_id: number }>`
        select * from door_accept(${hashOf(token)}, ${password_hash}, ${found.login_id === null ? (name ?? null) : null})`)
      if (!joined) throw linkUsedUp()
      await noteConfirmed(services, joined.login_id)
      return openOrChallenge(joined.login_id, joined.user_id, request)
    },

    async me({ session }) {
      const { login_id, user } = signedIn(session)
      const users = await usersOf(login_id)
      const own = users.find((one) => one.user_id === user.user_id)
      if (!own) throw new Refused('unauthenticated')
      return { ...personOf(own), users: users.filter((one) => one !== own).map(personOf) }
    },

    async switchUser({ session: own, input: { user_id }, request }) {
      const session = signedIn(own)
      const users = await usersOf(session.login_id)
      if (!users.some((one) => one.user_id === user_id)) throw new Refused('notFound')
      const token = newToken()
      const agent = request.headers['user-agent'] ?? null
      const [switched] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_switch(${session.login_id}, ${user_id}, ${session.token_hash}, ${hashOf(token)},
          ${request.ip}::inet, ${agent}) as done`)
      if (!switched?.done) throw new Refused('unauthenticated')
      return (await answerAs(session.login_id, user_id, token)).answer
    },

    async chooseLanguage({ session, input: { language = null } }) {
      const { login_id } = signedIn(session)
      await tenancy.callFunction(sql`select door_choose_language(${login_id}, ${language})`)
      return {}
    },

    async logout({ session }) {
      if (session) await tenancy.callFunction(sql`select door_close_all(${session.login_id})`)
      return {}
    },
  })
}

/** A new address chooses its password; for a known one its present password must be given. */
async function acceptedHash(stored: string | null, password: string, owner: Owner): Promise<string> {
  if (stored !== null) {
    if (!(await passwordMatches(password, stored)))
      throw invalid({ password: ['This is not the password of this address.'] })
    return stored
  }
  if (password.length < constants.password_length_min)
    throw invalid({ password: [`Please use at least ${constants.password_length_min} characters`] })
  refuseGuessable(password, [owner])
  return hashPassword(password)
}

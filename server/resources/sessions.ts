// Sessions: signing up, in and out; forgotten passwords; accepting an invitation; acting as another of one's users.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { constants } from '#contract/constants.ts'
import * as contract from '#contract/sessions.ts'
import { callerOf, hashOf, newToken, type LoginUser } from '#server/access/authenticate.ts'
import { limit, refuseWhenFull } from '#server/fairness/limits.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Services } from '#server/services.ts'
import { passwordReset } from '#server/mail/templates.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { networkOf } from '#server/access/network.ts'
import { hashPassword, isCommon, passwordFits } from '#server/access/passwords.ts'
import { forbidden, invalid, Refused } from '#server/access/refused.ts'
import { serveUnscoped } from '#server/api/serve.ts'

const hour_s = 3600
const session_life_s = 12 * hour_s
const reset_life_s = 30 * 60
const tries = {
  login: { per_account_and_address: 10, account_window_s: 15 * 60, per_address: 100 },
  signup: 20,
  forgot: 20,
}

/** Each try beyond the limit waits so much longer, up to so long. */
const slowed_step_ms = 500
const slowed_max_ms = 5000

/** What tells a known address from an unknown one is answered no sooner than this, which is longer than either takes. */
const answered_after_ms = 100
const evenly = () => sleep(answered_after_ms, undefined, { ref: false })

const wrongCredentials = () => invalid({ email: ['These credentials do not match our records.'] })
const linkUsedUp = () => invalid({ token: ['This link is no longer valid. Please ask for a new one.'] })

function refuseCommon(password: string) {
  if (isCommon(password)) throw invalid({ password: ['This password is too common. Please choose another one.'] })
}

const personOf = (user: LoginUser) => {
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
  }
}

export default ({ tenancy, queue, public_url, signup }: Services) => {
  const usersOf = (login_id: number) => tenancy.callFunction(sql<LoginUser>`select * from door_users(${login_id})`)

  /**
   * Counts a try to sign in before it is checked, so that guesses sent all at once are counted too; a success is forgiven.
   * Too many from one address are refused for that account and address alone. An address from which this account has been
   * used before is only slowed down: nobody is locked out by what others guess beside them.
   */
  async function countTry(key: string, email: string, network: string) {
    const { per_account_and_address: tries_max, account_window_s } = tries.login
    const [counted] = await tenancy.callFunction(sql<{ hits: number }>`
      select door_counted(${key}, ${account_window_s}) as hits`)
    const beyond = (counted?.hits ?? 0) - tries_max
    if (beyond <= 0) return
    const [known] = await tenancy.callFunction(
      sql<{ known: boolean }>`select door_knows(${email}, ${network}) as known`,
    )
    if (!known?.known) return refuseWhenFull(tenancy, key, tries_max)
    await sleep(Math.min(beyond * slowed_step_ms, slowed_max_ms))
  }

  /** Signs a login in as one of its users. */
  async function open(login_id: number, user_id: number, request: FastifyRequest) {
    const token = newToken()
    const [opened] = await tenancy.callFunction(sql<{ done: boolean }>`
      select door_open(${login_id}, ${user_id}, ${hashOf(token)}, ${session_life_s}, ${request.ip}::inet, ${request.headers['user-agent'] ?? null}) as done`)
    const users = await usersOf(login_id)
    const user = users.find((one) => one.user_id === user_id)
    if (!opened?.done || !user) throw new Refused('unauthenticated')
    await tenancy.callFunction(sql`select door_note_network(${login_id}, ${networkOf(request.ip)})`)
    const others = users.filter((one) => one !== user)
    return { access_token: token, user: personOf(user), users: others.map(personOf) }
  }

  return serveUnscoped(contract, {
    async login({ input: { email, password }, request }) {
      const even = evenly()
      const network = networkOf(request.ip)
      const address = `login-from:${network}`
      const account = `login:${email} from ${network}`
      // The address first: one that has guessed too often counts against no account any more.
      await refuseWhenFull(tenancy, address, tries.login.per_address)
      await countTry(account, email, network)

      const [login] = await tenancy.callFunction(
        sql<{ login_id: number; password_hash: string }>`select * from door_login(${email})`,
      )
      const fits = await passwordFits(password, login?.password_hash).catch(async (error: unknown) => {
        // That there was no time to look is no failure of whoever asked.
        await tenancy.callFunction(sql`select door_uncount(${account})`)
        throw error
      })
      const users = fits && login ? await usersOf(login.login_id) : []
      const context = String(request.headers['app-context'] ?? '').toLowerCase()
      const user = users.find((one) => callerOf(one, null).owner.owner_type.toLowerCase() === context) ?? users[0]
      if (!login || !user) {
        await tenancy.callFunction(sql`
          select door_count(${address}, ${tries.login.per_address}, ${hour_s}), door_failed(${login?.login_id ?? 0}, ${request.ip}::inet)`)
        await even
        throw wrongCredentials()
      }
      await tenancy.callFunction(sql`select door_forgive(${account})`)
      return open(login.login_id, user.user_id, request)
    },

    async signup({ input, request }) {
      if (signup === 'closed') throw forbidden()
      await limit(tenancy, `signup-from:${networkOf(request.ip)}`, tries.signup, hour_s)
      refuseCommon(input.password)
      const password_hash = await hashPassword(input.password)
      const [made] = await tenancy.callFunction(sql<{ login_id: number; user_id: number }>`
        select * from door_sign_up(${input.company_name}, ${input.name}, ${input.email}, ${password_hash}, ${signup === 'first'})`)
      if (!made) throw forbidden()
      if (made.login_id === 0)
        throw invalid({ email: ['This address already has a login. Sign in, or reset the password.'] })
      return open(made.login_id, made.user_id, request)
    },

    async forgotPassword({ input: { email }, request }) {
      await limit(tenancy, `forgot-from:${networkOf(request.ip)}`, tries.forgot, hour_s)
      const even = evenly()
      const token = newToken()
      const [known] = await tenancy.callFunction(sql<{ customer_id: number; name: string; email: string }>`
        select * from door_forgot(${email}, ${hashOf(token)}, ${reset_life_s}, ${request.ip}::inet)`)
      if (known)
        await tenancy.enter(callerOfJob(known.customer_id, 'sign-in'), 'write', (scope) =>
          queueMail(scope, queue, passwordReset(known, `${public_url}/customer/reset-password?token=${token}`)),
        )
      await even
      return {}
    },

    async resetPassword({ input: { token, password }, request }) {
      await limit(tenancy, `reset-from:${networkOf(request.ip)}`, tries.forgot, hour_s)
      refuseCommon(password)
      const password_hash = await hashPassword(password)
      const [reset] = await tenancy.callFunction(
        sql<{ done: boolean }>`select door_reset(${hashOf(token)}, ${password_hash}) as done`,
      )
      if (!reset?.done) throw linkUsedUp()
      return {}
    },

    async acceptInvitation({ input: { token, name, password }, request }) {
      await limit(tenancy, `accept-from:${networkOf(request.ip)}`, tries.forgot, hour_s)
      const [found] = await tenancy.callFunction(sql<{ login_id: number | null; password_hash: string | null }>`
        select * from door_invitation(${hashOf(token)})`)
      if (!found) throw linkUsedUp()
      const password_hash = await acceptedHash(found.password_hash, password)
      const [joined] = await tenancy.callFunction(sql<{ login_id: number; user_id: number }>`
        select * from door_accept(${hashOf(token)}, ${password_hash}, ${found.login_id === null ? (name ?? null) : null})`)
      if (!joined) throw linkUsedUp()
      return open(joined.login_id, joined.user_id, request)
    },

    async me({ session }) {
      if (!session) throw new Refused('unauthenticated')
      const users = await usersOf(session.login_id)
      const others = users.filter((one) => one.user_id !== session.user.user_id)
      return { ...personOf(session.user), users: others.map(personOf) }
    },

    async switchUser({ session, input: { user_id }, request }) {
      if (!session) throw new Refused('unauthenticated')
      const users = await usersOf(session.login_id)
      if (!users.some((one) => one.user_id === user_id)) throw new Refused('notFound')
      const answer = await open(session.login_id, user_id, request)
      await tenancy.callFunction(sql`select door_close(${session.token_hash})`)
      return answer
    },

    async logout({ session }) {
      if (session) await tenancy.callFunction(sql`select door_close_all(${session.login_id})`)
      return {}
    },
  })
}

/** A new address chooses its password; a known one must show the password it has. */
async function acceptedHash(stored: string | null, password: string): Promise<string> {
  if (stored !== null) {
    if (!(await passwordFits(password, stored)))
      throw invalid({ password: ['This is not the password of this address.'] })
    return stored
  }
  if (password.length < constants.password_length_min)
    throw invalid({ password: [`Please use at least ${constants.password_length_min} characters`] })
  refuseCommon(password)
  return hashPassword(password)
}

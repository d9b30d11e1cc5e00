// Logins: the users that an address signs in as, and the sessions that are opened for it, after its second factor where it has one.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import type * as contract from '#contract/auth.ts'
import type { Language } from '#contract/languages.ts'
import { callerOf, hashOf, newToken, type LoginUser } from '#server/access/authenticate.ts'
import { deviceHash, deviceIn, provenMark, signedMark } from '#server/access/device.ts'
import { networkOf } from '#server/access/network.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { UnscopedHandlers } from '#server/api/serve.ts'
import { newSignIn, type Mail } from '#server/deliveries/mail-templates.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { invalid, Refused } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'
import { secondFactorOf } from './second-factors.ts'

export type AuthHandlers = UnscopedHandlers<typeof contract>

export const hour_s = 3600
const session_life_s = 12 * hour_s
const challenge_life_s = 5 * 60

/** Answers that could reveal whether an address is known take at least this long, which is longer than either case needs. */
const answered_after_ms = 100
export const minimumDelay = () => sleep(answered_after_ms, undefined, { ref: false })

export const wrongCredentials = () => invalid({ email: ['These credentials do not match our records.'] })

/** With the language that the person has chosen, and the customer whose sample theirs is. */
type Person = LoginUser & { language: Language | null; sample_of: number | null }

export const personOf = (user: Person) => {
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
    sample_of: user.sample_of,
  }
}

export type Logins = ReturnType<typeof openLogins>

export function openLogins(services: Pick<Services, 'fingerprint' | 'tenancy' | 'queue' | 'public_url'>) {
  const { tenancy, queue, public_url, fingerprint } = services
  const usersOf = (login_id: number) =>
    tenancy.callFunction(sql<Person>`
      select *, door_language(${login_id}) as language, door_sample_of(customer_id) as sample_of from door_users(${login_id})`)

  async function loginOf(email: string) {
    const [login] = await tenancy.callFunction(
      sql<{ login_id: number; password_hash: string }>`select * from door_login(${email})`,
    )
    return login
  }

  /** Mails the user, on behalf of the first customer that they work for. */
  const notify = ({ customer_id }: { customer_id: number }, mail: Mail) =>
    tenancy.enter(callerOfJob(customer_id, 'sign-in'), 'write', (scope) => queueNotice(scope, queue, mail))

  /** Where a request comes from. */
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
      sql`select door_challenge(${login_id}, ${user_id}, ${hashOf(token)}, ${challenge_life_s})`,
    )
    return { challenge: token }
  }

  return { usersOf, loginOf, notify, from, answerAs, open, openOrChallenge }
}

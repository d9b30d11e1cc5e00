// Address confirmation: a user who signed up proves that an address is theirs by opening a link sent to it.
import { sql } from 'kysely'
import type { FastifyRequest } from 'fastify'
import * as contract from '#contract/address-confirmation.ts'
import { isTakenOff } from '#contract/taken-off.ts'
import { hashOf, newToken, signedIn, type LoginUser } from '#server/access/authenticate.ts'
import { networkOf } from '#server/access/network.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'
import type { OwnTurn } from '#server/api/own-turn.ts'
import { provenMark } from '#server/access/device.ts'
import { passwordMatches } from '#server/access/passwords.ts'
import { countTry } from '#server/fairness/guesses.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { limit } from '#server/fairness/limits.ts'
import { queueNotice, releaseMails } from '#server/deliveries/mails.ts'
import { addressToConfirm } from '#server/deliveries/mail-templates.ts'
import type { Services } from '#server/services.ts'

const hour_s = 3600
const link_life_s = 7 * 24 * hour_s
/** Per hour: links sent to one login, and links opened from one IP address. */
const tries = { sent: 5, opened: 20 }

/** A row of `door_address_to_confirm`. */
interface SignUp {
  login_id: number
  email: string
  password_hash: string
  company_name: string
  signed_up_at: string
  confirmed: boolean
}

export const linkUsedUp = () => invalid({ token: ['This link is no longer valid. Please ask for a new one.'] })

/** Sends the link to the user, on behalf of the waiting customer. Without `renew`, only if they have no link yet. */
export async function askToConfirm(
  { tenancy, queue, public_url }: Pick<Services, 'tenancy' | 'queue' | 'public_url'>,
  { login_id, user, renew }: { login_id: number; user: LoginUser; renew: boolean },
): Promise<void> {
  const token = newToken()
  const [asked] = await tenancy.callFunction(sql<{ done: boolean }>`
    select door_ask_confirmation(${login_id}, ${hashOf(token)}, ${link_life_s}, ${renew}) as done`)
  if (!asked?.done) return
  const mail = addressToConfirm(user, `${public_url}/confirm-address?token=${token}`)
  await tenancy.enter(callerOfJob(user.customer_id, 'sign-in'), 'write', (scope) => queueNotice(scope, queue, mail))
}

/**
 * The sign-up is theirs, and so is the address: the waiting mails of their customers are sent. Idempotent, so it can be repeated after a
 * failure halfway.
 */
async function noteConfirmed({ tenancy, queue }: Pick<Services, 'tenancy' | 'queue'>, login_id: number): Promise<void> {
  const waiting = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_confirm_address(${login_id})`,
  )
  for (const { customer_id } of waiting)
    await tenancy.enter(callerOfJob(customer_id, 'sign-in'), 'write', (scope) => releaseMails(scope, queue))
}

export default (services: Pick<Services, 'fingerprint' | 'tenancy' | 'queue' | 'public_url'>) => {
  const { tenancy, fingerprint } = services

  async function askedBy(token: string): Promise<SignUp | undefined> {
    const [asked] = await tenancy.callFunction(sql<SignUp>`select * from door_address_to_confirm(${hashOf(token)})`)
    return asked
  }

  /** Whoever has the mail, and not the browser that signed up, may be somebody whose address was typed by another. */
  async function insistOnSignUp(signUp: SignUp, password: string | undefined, request: FastifyRequest, turn: OwnTurn) {
    const { email, login_id, password_hash } = signUp
    if (password === undefined) throw invalid({ password: ['Please give the password that you signed up with.'] })
    const from = { ip: request.ip, device: provenMark(fingerprint, request) }
    await countTry(tenancy, { email, ...from, pause: turn.pause }, async (one) => {
      if (!(await passwordMatches(password, one.open ? password_hash : undefined)))
        throw await one.fail(login_id, invalid({ password: ['This is not the password that you signed up with.'] }))
      await one.forgive()
    })
  }

  return serveUnscoped(contract, {
    async toConfirm({ input: { token }, session }) {
      const asked = await askedBy(token)
      if (!asked) return { sign_up: null }
      const { company_name, signed_up_at, confirmed, login_id } = asked
      const asks_password = session?.login_id !== login_id
      return { sign_up: { company_name, signed_up_at: new Date(signed_up_at).toISOString(), asks_password, confirmed } }
    },

    async confirmAddress({ input: { token, password }, session, request, turn }) {
      await limit(tenancy, `confirm-from:${networkOf(request.ip)}`, tries.opened, hour_s)
      const asked = await askedBy(token)
      if (!asked) throw linkUsedUp()
      if (session?.login_id !== asked.login_id) await insistOnSignUp(asked, password, request, turn)
      await noteConfirmed(services, asked.login_id)
      return {}
    },

    async notMe({ input: { token }, request }) {
      await limit(tenancy, `confirm-from:${networkOf(request.ip)}`, tries.opened, hour_s)
      const [taken] = await tenancy.callFunction(sql<{ off: boolean }>`select door_not_me(${hashOf(token)}) as off`)
      if (!taken?.off) throw linkUsedUp()
      return {}
    },

    async anotherAddress({ input: { email }, session }) {
      const { login_id, user } = signedIn(session)
      await limit(tenancy, `another-address-of:${login_id}`, tries.sent, hour_s)
      const [given] = await tenancy.callFunction(
        sql<{ done: boolean }>`select door_another_address(${login_id}, ${email}) as done`,
      )
      if (!given?.done) throw invalid({ email: ['This address cannot be used here. Please give another one.'] })
      await askToConfirm(services, { login_id, user: { ...user, email }, renew: true })
      return {}
    },

    async sendConfirmation({ session }) {
      const { user, login_id } = signedIn(session)
      if (!user.mails_wait || isTakenOff(user.email)) return {}
      await limit(tenancy, `confirmation-of:${login_id}`, tries.sent, hour_s)
      await askToConfirm(services, { login_id, user, renew: true })
      return {}
    },
  })
}

// Own sign-in: the sessions, password and second factor of the signed-in user. Changing a credential needs the present password, and
// is reported to its owner by mail.
import { sql } from 'kysely'
import * as contract from '#contract/own-sign-in.ts'
import { normalised, shown } from '#contract/vouchers.ts'
import { deviceIn } from '#server/access/device.ts'
import { signedIn, type Session } from '#server/access/authenticate.ts'
import { refuseGuessable, type Owner } from '#server/access/chosen-passwords.ts'
import { hashPassword, passwordMatches } from '#server/access/passwords.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { addressOf, isOfApp, newSecret, recoveryHash, secretPlace, stepOf } from '#server/access/second-factor.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { limit, takeBack } from '#server/fairness/limits.ts'
import { tellEditors } from '#server/deliveries/tell-editors.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { signInChanged, type SignInChange } from '#server/deliveries/mail-templates.ts'
import { endMade } from '#server/resources/made-since.ts'
import type { Services } from '#server/services.ts'
import { drawCodes } from '#server/vouchers/codes.ts'

const recovery_codes = 10
/** Limits guessing even by signed-in users, as at a browser that was left open. */
const tries = { max: 10, window_s: 15 * 60 }

interface SecondFactor {
  sealed_secret: Buffer
  confirmed_at: Date | null
  recovery_codes_left: number
}
export async function secondFactorOf(tenancy: Tenancy, login_id: number): Promise<SecondFactor | undefined> {
  const [found] = await tenancy.callFunction(sql<SecondFactor>`select * from door_second_factor(${login_id})`)
  return found
}

const toldOthers = {
  second_factor_on: 'A second factor has been set up: that',
  second_factor_off: 'A second factor has been removed: that',
  recovery_codes: 'New recovery codes have been made: those',
}

const notYours = 'This is not your present password.'
export const wrongCode = () => invalid({ code: ['This code is wrong, or has already been used.'] })

/** Whether the code is valid, from the app or a recovery code; a valid one is used up. */
export async function takeCode(
  { tenancy, seal, fingerprint }: Pick<Services, 'tenancy' | 'seal' | 'fingerprint'>,
  login_id: number,
  typed: string,
): Promise<boolean> {
  const factor = await secondFactorOf(tenancy, login_id)
  if (!factor?.confirmed_at) return false
  if (isOfApp(typed)) {
    const step = stepOf(seal.open(factor.sealed_secret, secretPlace(login_id)), typed.replaceAll(/\s/g, ''))
    if (step === null) return false
    const [taken] = await tenancy.callFunction(
      sql<{ done: boolean }>`select door_take_step(${login_id}, ${step}) as done`,
    )
    return taken?.done ?? false
  }
  const hash = recoveryHash(fingerprint, login_id, normalised(typed))
  const [taken] = await tenancy.callFunction(
    sql<{ done: boolean }>`select door_take_recovery_code(${login_id}, ${hash}) as done`,
  )
  return taken?.done ?? false
}

export default (services: Services) => {
  const { tenancy, queue, seal, fingerprint, public_url, session_idle_ms } = services
  const notify = ({ user }: Session, what: SignInChange) =>
    tenancy.enter(callerOfJob(user.customer_id, 'sign-in'), 'write', (scope) =>
      queueNotice(scope, queue, signInChanged(user, what, `${public_url}/customer/forgot-password`)),
    )
  /** The owner, as `notify` does, and the customer's editors. */
  async function notifyAll(session: Session, what: keyof typeof toldOthers) {
    await notify(session, what)
    const { user, caller } = session
    const sentence = `${toldOthers[what]} of ${user.name}, ${user.email}.`
    await tenancy.enter(caller, 'write', (scope) =>
      tellEditors(scope, { queue, public_url }, sentence, { told: user.user_id }),
    )
  }

  /**
   * Counts an attempt at `what`; a right one resets the count. It is the session's own, whichever of its users it is switched to: the
   * guesses of a stolen one must not keep the owner out.
   */
  async function counting(what: string, session: Session, isRight: () => Promise<boolean>): Promise<boolean> {
    const key = `${what}:${session.handle}`
    await limit(tenancy, key, tries.max, tries.window_s)
    const right = await isRight().catch(async (error: unknown) => {
      await takeBack(() => tenancy.callFunction(sql`select door_uncount(${key})`))
      throw error
    })
    if (right) await tenancy.callFunction(sql`select door_forgive(${key})`)
    return right
  }

  const isOwnPassword = (session: Session, given: string) =>
    counting('own-password', session, async () => {
      const [login] = await tenancy.callFunction(
        sql<{ password_hash: string }>`select password_hash from door_login_of(${session.login_id})`,
      )
      return passwordMatches(given, login?.password_hash)
    })

  async function insistOnPassword(session: Session, given: string) {
    const right = await isOwnPassword(session, given)
    if (!right) throw invalid({ current_password: [notYours] })
  }

  async function insistOnCode(session: Session, code: string) {
    if (!(await counting('own-code', session, () => takeCode(services, session.login_id, code)))) throw wrongCode()
  }

  function newRecoveryCodes({ login_id }: Session) {
    const codes = drawCodes(recovery_codes)
    return { recovery_codes: codes.map(shown), hashes: codes.map((code) => recoveryHash(fingerprint, login_id, code)) }
  }

  return serveUnscoped(contract, {
    async list({ session }) {
      const { login_id, token_hash } = signedIn(session)
      const [rows, users] = await Promise.all([
        tenancy.callFunction(
          sql<{
            handle: string
            token_hash: Buffer
            user_id: number
            created_at: Date
            last_used_at: Date
            ip: string | null
            user_agent: string | null
          }>`select * from door_sessions(${login_id}, ${session_idle_ms / 1000})`,
        ),
        tenancy.callFunction(sql<{ user_id: number; owner_name: string }>`
          select user_id, owner_name from door_users(${login_id})`),
      ])
      // Leaves out users who may not sign in any more, whose sessions get nothing but 401.
      return rows.flatMap(({ handle, user_agent, user_id, created_at, last_used_at, ip, ...row }) => {
        const owner_name = users.find((user) => user.user_id === user_id)?.owner_name
        if (owner_name === undefined) return []
        return {
          session: handle,
          device: deviceIn(user_agent),
          ip,
          owner_name,
          created_at: iso(created_at),
          last_used_at: iso(last_used_at),
          current: row.token_hash.equals(token_hash),
        }
      })
    },

    async end({ session, input }) {
      const [ended] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_end(${signedIn(session).login_id}, ${input.session}) as done`)
      if (!ended?.done) throw notFound()
      return {}
    },

    async prove({ session: own, input: { password, code } }) {
      const session = signedIn(own)
      if (!(await isOwnPassword(session, password))) throw invalid({ password: [notYours] })
      const factor = await secondFactorOf(tenancy, session.login_id)
      if (factor?.confirmed_at && code === undefined)
        throw invalid({ code: ['Please give a code from your app, too.'] })
      if (factor?.confirmed_at && code !== undefined) await insistOnCode(session, code)
      await tenancy.callFunction(sql`select door_prove(${session.token_hash})`)
      return {}
    },

    async changePassword({ session: own, input: { current_password, password, end }, request }) {
      const session = signedIn(own)
      const users = await tenancy.callFunction(sql<Owner>`select * from door_users(${session.login_id})`)
      refuseGuessable(password, users)
      await insistOnPassword(session, current_password)
      await endMade(services, session.login_id, end, request.ip)
      const hash = await hashPassword(password)
      await tenancy.callFunction(sql`select door_change_password(${session.login_id}, ${hash}, ${session.token_hash})`)
      await notify(session, 'password')
      return {}
    },

    async secondFactorState({ session }) {
      const factor = await secondFactorOf(tenancy, signedIn(session).login_id)
      const on_since = factor?.confirmed_at ? iso(factor.confirmed_at) : null
      return { on_since, recovery_codes_left: factor?.recovery_codes_left ?? 0 }
    },

    async beginSecondFactor({ session: own, input: { current_password } }) {
      const session = signedIn(own)
      await insistOnPassword(session, current_password)
      const secret = newSecret()
      const sealed = seal.close(secret, secretPlace(session.login_id))
      const [begun] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_second_factor_begin(${session.login_id}, ${sealed}) as done`)
      if (!begun?.done) throw invalid({ current_password: ['There is already a second factor. Remove it first.'] })
      return { secret, address: addressOf(secret, session.user.email) }
    },

    async confirmSecondFactor({ session: own, input: { code } }) {
      const session = signedIn(own)
      const factor = await secondFactorOf(tenancy, session.login_id)
      if (!factor || factor.confirmed_at) throw invalid({ code: ['There is nothing to confirm. Please begin again.'] })
      let step: number | null = null
      const right = await counting('own-code', session, async () => {
        step = stepOf(seal.open(factor.sealed_secret, secretPlace(session.login_id)), code.replaceAll(/\s/g, ''))
        return step !== null
      })
      if (!right) throw wrongCode()
      const { recovery_codes: codes, hashes } = newRecoveryCodes(session)
      const [confirmed] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_second_factor_confirm(${session.login_id}, ${factor.sealed_secret}, ${step}::bigint, ${hashes}::text[]) as done`)
      if (!confirmed?.done)
        throw invalid({ code: ['Set-up was started again in the meantime. Use the newest picture.'] })
      await notifyAll(session, 'second_factor_on')
      return { recovery_codes: codes }
    },

    async renewRecoveryCodes({ session: own, input: { current_password, code } }) {
      const session = signedIn(own)
      await insistOnPassword(session, current_password)
      await insistOnCode(session, code)
      const { recovery_codes: codes, hashes } = newRecoveryCodes(session)
      await tenancy.callFunction(sql`select door_recovery_codes_set(${session.login_id}, ${hashes}::text[])`)
      await notifyAll(session, 'recovery_codes')
      return { recovery_codes: codes }
    },

    async removeSecondFactor({ session: own, input: { current_password, code } }) {
      const session = signedIn(own)
      await insistOnPassword(session, current_password)
      await insistOnCode(session, code)
      await tenancy.callFunction(sql`select door_second_factor_end(${session.login_id})`)
      await notifyAll(session, 'second_factor_off')
      return {}
    },
  })
}

const iso = (moment: Date | string) => new Date(moment).toISOString()

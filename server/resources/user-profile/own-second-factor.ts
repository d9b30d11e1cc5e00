// Own second factor: setting it up, its recovery codes, and taking it away, each with the present password.
import { sql } from 'kysely'
import type * as contract from '#contract/own-sign-in.ts'
import { shown } from '#contract/vouchers.ts'
import { signedIn, type WebSession } from '#server/access/authenticate.ts'
import { setUpAddressOf, newFactorSecret, recoveryHash, secretPlace, timeStepOf } from '#server/access/second-factor.ts'
import type { UnscopedHandlers } from '#server/api/serve.ts'
import { tellEditors } from '#server/deliveries/tell-editors.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'
import { drawCodes } from '#server/vouchers/codes.ts'
import type { OwnCredentials } from './own-credentials.ts'
import { secondFactorOf, wrongCode } from '#server/resources/auth/second-factors.ts'

const recovery_codes = 10

const toldOthers = {
  second_factor_on: 'A second factor has been set up: that',
  second_factor_off: 'A second factor has been removed: that',
  recovery_codes: 'New recovery codes have been made: those',
}

type Handlers = Pick<
  UnscopedHandlers<typeof contract>,
  'secondFactorState' | 'beginSecondFactor' | 'confirmSecondFactor' | 'renewRecoveryCodes' | 'removeSecondFactor'
>

export function ownSecondFactor(
  services: Pick<Services, 'seal' | 'fingerprint' | 'tenancy' | 'queue' | 'public_url'>,
  { notify, counting, insistOnPassword, insistOnCode }: OwnCredentials,
): Handlers {
  const { tenancy, queue, seal, fingerprint, public_url } = services

  /** The owner, as `notify` does, and the customer's editors. */
  async function notifyAll(session: WebSession, change: keyof typeof toldOthers) {
    await notify(session, change)
    const { user, caller } = session
    const sentence = `${toldOthers[change]} of ${user.name}, ${user.email}.`
    await tenancy.enter(caller, 'write', (scope) =>
      tellEditors(scope, { queue, public_url }, sentence, { told: user.user_id }),
    )
  }

  function newRecoveryCodes({ login_id }: WebSession) {
    const codes = drawCodes(recovery_codes)
    return { recovery_codes: codes.map(shown), hashes: codes.map((code) => recoveryHash(fingerprint, login_id, code)) }
  }

  return {
    async secondFactorState({ session }) {
      const factor = await secondFactorOf(tenancy, signedIn(session).login_id)
      const on_since = factor?.confirmed_at ? new Date(factor.confirmed_at).toISOString() : null
      return { on_since, recovery_codes_left: factor?.recovery_codes_left ?? 0 }
    },

    async beginSecondFactor({ session: own, input: { current_password } }) {
      const session = signedIn(own)
      await insistOnPassword(session, current_password)
      const secret = newFactorSecret()
      const sealed = seal.close(secret, secretPlace(session.login_id))
      const [begun] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_second_factor_begin(${session.login_id}, ${sealed}) as done`)
      if (!begun?.done) throw invalid({ current_password: ['There is already a second factor. Remove it first.'] })
      return { secret, address: setUpAddressOf(secret, session.user.email) }
    },

    async confirmSecondFactor({ session: own, input: { code } }) {
      const session = signedIn(own)
      const factor = await secondFactorOf(tenancy, session.login_id)
      if (!factor || factor.confirmed_at) throw invalid({ code: ['There is nothing to confirm. Please begin again.'] })
      let step: number | null = null
      const right = await counting('own-code', session, async () => {
        step = timeStepOf(seal.open(factor.sealed_secret, secretPlace(session.login_id)), code.replaceAll(/\s/g, ''))
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
  }
}

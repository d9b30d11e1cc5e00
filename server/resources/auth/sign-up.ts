// Signing up: with a company of one's own, or by an invitation.
import { sql } from 'kysely'
import { constants } from '#contract/constants.ts'
import { hashOf } from '#server/access/authenticate.ts'
import { refuseGuessable, type PasswordOwner } from '#server/access/chosen-passwords.ts'
import { networkOf } from '#server/access/network.ts'
import { hashPassword, passwordMatches } from '#server/access/passwords.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { countTry, type Try } from '#server/fairness/guesses.ts'
import { limit } from '#server/fairness/limits.ts'
import type { Services } from '#server/services.ts'
import { askToConfirm, linkUsedUp } from './address-confirmation.ts'
import { hour_s, wrongCredentials, type AuthHandlers, type Logins } from './logins.ts'
import { endUnproven, type EndingServices } from './made-since.ts'

/** Per hour and IP address. A whole team may accept from one office: as many as may be invited in a day. */
const tries = { signup: 20, accept: 100 }

export function signingUp(
  services: EndingServices & Pick<Services, 'queue' | 'signup'>,
  logins: Logins,
): Pick<AuthHandlers, 'signup' | 'acceptInvitation'> {
  const { tenancy, signup } = services
  const { usersOf, loginOf, from, open, openOrChallenge } = logins

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

  return {
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

    async acceptInvitation({ input: { token, name, password }, request }) {
      await limit(tenancy, `accept-from:${networkOf(request.ip)}`, tries.accept, hour_s)
      const [found] = await tenancy.callFunction(sql<
        PasswordOwner & { login_id: number | null; password_hash: string | null }
      >`
        select * from door_invitation(${hashOf(token)})`)
      if (!found) throw linkUsedUp()
      const password_hash = await acceptedHash(found.password_hash, password, { ...found, name: name ?? found.name })
      const unproven = found.login_id === null ? await loginOf(found.email) : undefined
      if (unproven) await endUnproven(services, unproven.login_id, request.ip)
      const [joined] = await tenancy.callFunction(sql<{ login_id: number; user_id: number }>`
        select * from door_accept(${hashOf(token)}, ${password_hash}, ${found.login_id === null ? (name ?? null) : null})`)
      if (!joined) throw linkUsedUp()
      return openOrChallenge(joined.login_id, joined.user_id, request)
    },
  }
}

/** A new address chooses its password; for a known one its present password must be given. */
async function acceptedHash(stored: string | null, password: string, owner: PasswordOwner): Promise<string> {
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

// Forgotten passwords: a link by mail, with which another one is chosen.
import { sql } from 'kysely'
import { callerOf, hashOf, newToken } from '#server/access/authenticate.ts'
import { refuseGuessable } from '#server/access/chosen-passwords.ts'
import { networkOf } from '#server/access/network.ts'
import { hashPassword } from '#server/access/passwords.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { passwordReset, signInChanged } from '#server/deliveries/mail-templates.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { limit } from '#server/fairness/limits.ts'
import type { Services } from '#server/services.ts'
import { linkUsedUp } from './address-confirmation.ts'
import { hour_s, minimumDelay, type AuthHandlers, type Logins } from './logins.ts'
import { endMade, endUnproven, type EndingServices } from './made-since.ts'

const reset_life_s = 30 * 60
/** Password reset mails to one e-mail address. */
const resets_per_hour_max = 5
/** Per hour and IP address. */
const tries_max = 20

export function forgottenPasswords(
  services: EndingServices & Pick<Services, 'notes' | 'queue'>,
  { usersOf, notify, from }: Logins,
): Pick<AuthHandlers, 'forgotPassword' | 'resetPassword'> {
  const { tenancy, queue, notes, public_url } = services
  return {
    async forgotPassword({ input: { email }, request, turn }) {
      const { device } = from(request)
      const [known_here] = await tenancy.callFunction(
        sql<{ own: boolean }>`select door_knows_device(${email}, ${device}) as own`,
      )
      // On a device that the user has signed in from before, requests from elsewhere do not count.
      const here = known_here?.own ? ` on ${device}` : ''
      if (!here) await limit(tenancy, `forgot-from:${networkOf(request.ip)}`, tries_max, hour_s)
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
      await limit(tenancy, `reset-from:${networkOf(request.ip)}`, tries_max, hour_s)
      const [login] = await tenancy.callFunction(sql<{ login_id: number; name: string; email: string }>`
        select * from door_reset_of(${hashOf(token)})`)
      if (!login) throw linkUsedUp()
      refuseGuessable(password, [login, ...(await usersOf(login.login_id))])
      await endMade(services, login.login_id, end, request.ip)
      await endUnproven(services, login.login_id, request.ip)
      const password_hash = await hashPassword(password)
      const [reset] = await tenancy.callFunction(
        sql<{ login_id: number | null }>`select door_reset(${hashOf(token)}, ${password_hash}) as login_id`,
      )
      if (!reset?.login_id) throw linkUsedUp()
      const [user] = await usersOf(reset.login_id)
      if (user) await notify(user, signInChanged(user, 'password', `${public_url}/customer/forgot-password`))
      if (user) notes.reset(callerOf(user, request.ip))
      return {}
    },
  }
}

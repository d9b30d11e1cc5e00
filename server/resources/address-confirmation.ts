// Address confirmation: a user who signed up proves that an address is theirs by opening a link sent to it.
import { sql } from 'kysely'
import * as contract from '#contract/address-confirmation.ts'
import { hashOf, newToken, signedIn, type LoginUser } from '#server/access/authenticate.ts'
import { networkOf } from '#server/access/network.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { limit } from '#server/fairness/limits.ts'
import { queueNotice, releaseMails } from '#server/deliveries/mails.ts'
import { addressToConfirm } from '#server/deliveries/mail-templates.ts'
import type { Services } from '#server/services.ts'

const hour_s = 3600
const link_life_s = 7 * 24 * hour_s
/** Per hour: links sent to one login, and links opened from one IP address. */
const tries = { sent: 5, opened: 20 }

export const linkUsedUp = () => invalid({ token: ['This link is no longer valid. Please ask for a new one.'] })

/** Sends the link to the user, on behalf of the waiting customer. Without `renew`, only if they have no link yet. */
export async function askToConfirm(
  { tenancy, queue, public_url }: Services,
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
 * Opening a mailed link proves that the address is the user's: the waiting mails of their customers are sent. Idempotent, so it can
 * be repeated after a failure halfway.
 */
export async function noteConfirmed({ tenancy, queue }: Services, login_id: number): Promise<void> {
  const waiting = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_confirm_address(${login_id})`,
  )
  for (const { customer_id } of waiting)
    await tenancy.enter(callerOfJob(customer_id, 'sign-in'), 'write', (scope) => releaseMails(scope, queue))
}

export default (services: Services) => {
  const { tenancy } = services
  return serveUnscoped(contract, {
    async confirmAddress({ input: { token }, request }) {
      await limit(tenancy, `confirm-from:${networkOf(request.ip)}`, tries.opened, hour_s)
      const [found] = await tenancy.callFunction(
        sql<{ login_id: number | null }>`select door_confirmed_login(${hashOf(token)}) as login_id`,
      )
      if (!found?.login_id) throw linkUsedUp()
      await noteConfirmed(services, found.login_id)
      return {}
    },

    async sendConfirmation({ session }) {
      const { user, login_id } = signedIn(session)
      if (!user.mails_wait) return {}
      await limit(tenancy, `confirmation-of:${login_id}`, tries.sent, hour_s)
      await askToConfirm(services, { login_id, user, renew: true })
      return {}
    },
  })
}

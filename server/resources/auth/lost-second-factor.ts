// Lost second factor: how the operator of the installation helps somebody who has lost both telephone and recovery codes. A login
// may belong to several customers, so none of them may do it.
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { LoginUser } from '#server/access/authenticate.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { queueMail } from '#server/deliveries/mails.ts'
import { signInChanged } from '#server/deliveries/mail-templates.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { Services } from '#server/services.ts'
import { secondFactorOf } from './second-factors.ts'

const theUser = { table: 'users', belongs: { group_id: 'group_id', property_id: 'property_id' } } as const

/** Removes it and ends the sessions. Logs and mails first, so that an interrupted run can be repeated and nothing happens unnoticed. */
export async function removeLostSecondFactor(
  { tenancy, queue, public_url }: Pick<Services, 'tenancy' | 'queue' | 'public_url'>,
  email: string,
): Promise<void> {
  const [login] = await tenancy.callFunction(sql<{ login_id: number }>`select login_id from door_login(${email})`)
  if (!login) throw new CannotStart(`Nobody signs in as ${email}.`)
  const { login_id } = login
  if (!(await secondFactorOf(tenancy, login_id))) throw new CannotStart(`${email} has no second factor.`)

  const users = await tenancy.callFunction(sql<LoginUser>`select * from door_users(${login_id})`)
  for (const [index, user] of users.entries())
    await tenancy.enter(callerOfJob(user.customer_id, 'operator'), 'write', async (scope) => {
      const { group_id, property_id, name } = user
      const row = { id: user.user_id, name, group_id, property_id }
      const after = { second_factor: 'removed by the operator' }
      await logActivity(scope, { action: 'update', entity: theUser, row, before: null, after })
      if (index > 0) return
      await queueMail(scope, queue, signInChanged(user, 'second_factor_lost', `${public_url}/customer/forgot-password`))
    })
  await tenancy.callFunction(sql`select door_second_factor_end(${login_id}), door_close_all(${login_id})`)
}

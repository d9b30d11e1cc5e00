// Own sign-in: the sessions, password and second factor of the signed-in user. Changing a credential needs the present password, and
// is reported to its owner by mail.
import { sql } from 'kysely'
import * as contract from '#contract/own-sign-in.ts'
import { deviceIn } from '#server/access/device.ts'
import { signedIn } from '#server/access/authenticate.ts'
import { refuseGuessable, type PasswordOwner } from '#server/access/chosen-passwords.ts'
import { hashPassword } from '#server/access/passwords.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { endMade, type EndingServices } from '#server/resources/auth/made-since.ts'
import type { Services } from '#server/services.ts'
import { notYours, openOwnCredentials } from './own-credentials.ts'
import { ownSecondFactor } from './own-second-factor.ts'
import { secondFactorOf } from '#server/resources/auth/second-factors.ts'

export default (services: EndingServices & Pick<Services, 'fingerprint' | 'queue' | 'session_idle_ms'>) => {
  const { tenancy, session_idle_ms } = services
  const credentials = openOwnCredentials(services)
  const { notify, isOwnPassword, insistOnPassword, insistOnCode } = credentials
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
      const users = await tenancy.callFunction(sql<PasswordOwner>`select * from door_users(${session.login_id})`)
      refuseGuessable(password, users)
      await insistOnPassword(session, current_password)
      await endMade(services, session.login_id, end, request.ip)
      const hash = await hashPassword(password)
      await tenancy.callFunction(sql`select door_change_password(${session.login_id}, ${hash}, ${session.token_hash})`)
      await notify(session, 'password')
      return {}
    },

    ...ownSecondFactor(services, credentials),
  })
}

const iso = (moment: Date | string) => new Date(moment).toISOString()

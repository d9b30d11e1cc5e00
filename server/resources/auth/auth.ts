// Sessions: signing up, in and out; forgotten passwords; accepting an invitation; acting as another of one's users.
import { sql } from 'kysely'
import * as contract from '#contract/auth.ts'
import { hashOf, newToken, signedIn } from '#server/access/authenticate.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { Refused } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'
import { forgottenPasswords } from './forgotten-passwords.ts'
import { loggingIn } from './log-in.ts'
import { openLogins, personOf } from './logins.ts'
import type { EndingServices } from './made-since.ts'
import { signingUp } from './sign-up.ts'

export default (services: EndingServices & Pick<Services, 'fingerprint' | 'notes' | 'queue' | 'signup'>) => {
  const { tenancy } = services
  const logins = openLogins(services)
  const { usersOf, answerAs } = logins
  return serveUnscoped(contract, {
    ...loggingIn(services, logins),
    ...signingUp(services, logins),
    ...forgottenPasswords(services, logins),

    async me({ session }) {
      const { login_id, user } = signedIn(session)
      const users = await usersOf(login_id)
      const own = users.find((one) => one.user_id === user.user_id)
      if (!own) throw new Refused('unauthenticated')
      return { ...personOf(own), users: users.filter((one) => one !== own).map(personOf) }
    },

    async switchUser({ session: own, input: { user_id }, request }) {
      const session = signedIn(own)
      const users = await usersOf(session.login_id)
      if (!users.some((one) => one.user_id === user_id)) throw new Refused('notFound')
      const token = newToken()
      const agent = request.headers['user-agent'] ?? null
      const [switched] = await tenancy.callFunction(sql<{ done: boolean }>`
        select door_switch(${session.login_id}, ${user_id}, ${session.token_hash}, ${hashOf(token)},
          ${request.ip}::inet, ${agent}) as done`)
      if (!switched?.done) throw new Refused('unauthenticated')
      return (await answerAs(session.login_id, user_id, token)).answer
    },

    async chooseLanguage({ session, input: { language = null } }) {
      const { login_id } = signedIn(session)
      await tenancy.callFunction(sql`select door_choose_language(${login_id}, ${language})`)
      return {}
    },

    async logout({ session }) {
      if (session) await tenancy.callFunction(sql`select door_close_all(${session.login_id})`)
      return {}
    },
  })
}

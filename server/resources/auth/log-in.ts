// Logging in: with an address and its password, then with the second factor where there is one.
import { sql } from 'kysely'
import { callerOf, hashOf } from '#server/access/authenticate.ts'
import { passwordMatches } from '#server/access/passwords.ts'
import { invalid } from '#server/errors/refused.ts'
import { countTry, refuseCodesFromEverywhere } from '#server/fairness/guesses.ts'
import type { Services } from '#server/services.ts'
import { minimumDelay, wrongCredentials, type AuthHandlers, type Logins } from './logins.ts'
import { takeCode, wrongCode } from './second-factors.ts'

const challenge_tries_max = 5
const challengeOver = () => invalid({ challenge: ['This took too long, or too many tries. Please sign in again.'] })

export function loggingIn(
  services: Pick<Services, 'seal' | 'fingerprint' | 'tenancy'>,
  logins: Logins,
): Pick<AuthHandlers, 'login' | 'secondFactor'> {
  const { tenancy } = services
  const { usersOf, loginOf, from, open, openOrChallenge } = logins
  return {
    async login({ input: { email, password }, request, turn }) {
      return countTry(tenancy, { email, ...from(request), pause: turn.pause }, async (one) => {
        const delay = minimumDelay()
        const login = await loginOf(email)
        // Takes equally long if there is no such login.
        const fits = await passwordMatches(password, one.open ? login?.password_hash : undefined)
        const users = fits && login ? await usersOf(login.login_id) : []
        const context = String(request.headers['app-context'] ?? '').toLowerCase()
        const user = users.find((one) => callerOf(one, null).owner.owner_type.toLowerCase() === context) ?? users[0]
        if (!login || !user) {
          const refused = await one.fail(login?.login_id ?? 0, wrongCredentials())
          turn.end()
          await delay
          throw refused
        }
        const answer = await openOrChallenge(login.login_id, user.user_id, request)
        // With a second factor this was only the first half: knowing the password alone must not reset the count.
        if ('access_token' in answer) await one.forgive()
        return answer
      })
    },

    async secondFactor({ input: { challenge: token, code }, request, turn }) {
      const token_hash = hashOf(token)
      const [asked] = await tenancy.callFunction(sql<{ login_id: number; user_id: number; email: string }>`
        select * from door_challenged(${token_hash}, ${challenge_tries_max})`)
      if (!asked) throw challengeOver()
      const { login_id, user_id, email } = asked
      const takeBackToo = () => tenancy.callFunction(sql`select door_challenge_untried(${token_hash})`)
      return countTry(tenancy, { email, ...from(request), pause: turn.pause, takeBackToo }, async (one) => {
        if (!one.open) throw await one.fail(login_id, wrongCode())
        const everywhere = await refuseCodesFromEverywhere(tenancy, { login_id, email, ...from(request) })
        if (!(await takeCode(services, login_id, code))) {
          const refused = await one.fail(login_id, wrongCode())
          await everywhere.fail()
          throw refused
        }
        const [met] = await tenancy.callFunction(
          sql<{ done: boolean }>`select door_challenge_met(${token_hash}) as done`,
        )
        if (!met?.done) throw challengeOver()
        await one.forgive()
        return open(login_id, user_id, request)
      })
    },
  }
}

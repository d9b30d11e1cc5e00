// Own credentials: the present password and codes of whoever is signed in, before something is changed; and the mail that says what was.
import { sql } from 'kysely'
import type { WebSession } from '#server/access/authenticate.ts'
import { passwordMatches } from '#server/access/passwords.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { signInChanged, type SignInChange } from '#server/deliveries/mail-templates.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { invalid } from '#server/errors/refused.ts'
import { limit, undoCount } from '#server/fairness/limits.ts'
import type { Services } from '#server/services.ts'
import { takeCode, wrongCode } from '#server/resources/auth/second-factors.ts'

/** Limits guessing even by signed-in users, as at a browser that was left open. */
const tries = { max: 10, window_s: 15 * 60 }
export const notYours = 'This is not your present password.'

export type OwnCredentials = ReturnType<typeof openOwnCredentials>

export function openOwnCredentials(
  services: Pick<Services, 'seal' | 'fingerprint' | 'tenancy' | 'queue' | 'public_url'>,
) {
  const { tenancy, queue, public_url } = services
  /** Mails the owner what was changed. */
  const notify = ({ user }: WebSession, change: SignInChange) =>
    tenancy.enter(callerOfJob(user.customer_id, 'sign-in'), 'write', (scope) =>
      queueNotice(scope, queue, signInChanged(user, change, `${public_url}/customer/forgot-password`)),
    )

  /**
   * Counts an attempt at `secret`; a right one resets the count. It is the session's own, whichever of its users it is switched to: the
   * guesses of a stolen one must not keep the owner out.
   */
  async function counting(secret: string, session: WebSession, isRight: () => Promise<boolean>): Promise<boolean> {
    const key = `${secret}:${session.handle}`
    await limit(tenancy, key, tries.max, tries.window_s)
    const right = await isRight().catch(async (error: unknown) => {
      await undoCount(() => tenancy.callFunction(sql`select door_uncount(${key})`))
      throw error
    })
    if (right) await tenancy.callFunction(sql`select door_forgive(${key})`)
    return right
  }

  const isOwnPassword = (session: WebSession, given: string) =>
    counting('own-password', session, async () => {
      const [login] = await tenancy.callFunction(
        sql<{ password_hash: string }>`select password_hash from door_login_of(${session.login_id})`,
      )
      return passwordMatches(given, login?.password_hash)
    })

  async function insistOnPassword(session: WebSession, given: string) {
    const right = await isOwnPassword(session, given)
    if (!right) throw invalid({ current_password: [notYours] })
  }

  async function insistOnCode(session: WebSession, code: string) {
    if (!(await counting('own-code', session, () => takeCode(services, session.login_id, code)))) throw wrongCode()
  }

  return { notify, counting, isOwnPassword, insistOnPassword, insistOnCode }
}

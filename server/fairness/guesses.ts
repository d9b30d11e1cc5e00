// Guesses: how sign-in tries are counted, so that nobody can go on guessing and nobody is locked out by the guesses of others.
import { sql } from 'kysely'
import { tooMany, type Refused } from '#server/errors/refused.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { networkOf } from '#server/access/network.ts'
import { refuseWhenFull, undoCount, waitWhenFull } from './limits.ts'
import { roughDuration } from './quotas.ts'

const tries = { per_account_and_address: 10, account_window_s: 15 * 60, per_address: 100, address_window_s: 3600 }
/** Wrong codes of a second factor, from all addresses together: guessed by somebody who has the password. */
const codes = { per_account: 30, window_s: 3600 }

/** Each try above an account's limit waits one step longer, up to the maximum; above an address's limit all wait the maximum. */
const slowed_step_ms = 500
const slowed_max_ms = 5000

/** One try, already counted. */
export interface Try {
  /** False: too many have failed here, and the account has not been used from here. Not even the right password is let in. */
  open: boolean
  /** To be called if the try was right. */
  forgive(): Promise<void>
  /** To be called if it was wrong: returns the answer, `otherwise` unless there were too many. `login_id` 0: there is no such account. */
  fail(login_id: number, otherwise: Refused): Promise<Refused>
}

interface Tried {
  email: string
  ip: string
  /** The proven mark of the browser. */
  device: string | null
  /** Waits, without keeping anybody else waiting meanwhile. */
  pause: (account: string, ms: number) => Promise<void>
  /** Uncounts what the caller has counted, together with the try. */
  takeBackToo?: () => Promise<unknown>
}

/**
 * Counts a try before checking it, so that guesses sent all at once are counted, too. A try that ends without having failed
 * (for example in an error of ours) is uncounted.
 *
 * The address comes first: tries from one with too many failures no longer count against any account. Above either limit a
 * try waits, and the right password is accepted only if the account has been used from that address before; all others get
 * the same answer after the same time, so that it does not reveal which account that is.
 *
 * A browser in which the account has been used before is counted separately, whatever others do at its address.
 */
export async function countTry<R>(tenancy: Tenancy, tried: Tried, look: (one: Try) => Promise<R>): Promise<R> {
  const { email, ip, device, pause, takeBackToo } = tried
  const network = networkOf(ip)
  const address = `login-from:${network}`
  let counted: string | null = null
  let failed = false
  try {
    const [here] = await tenancy.callFunction(sql<{ wait_s: number; known: boolean; own: boolean }>`
      select door_full(${address}, ${tries.per_address}) as wait_s, door_knows(${email}, ${network}) as known,
        door_knows_device(${email}, ${device}) as own`)
    const own = here?.own ?? false
    const account = `login:${email} ${own ? `on ${device}` : `from ${network}`}`
    let wait_s = own ? 0 : (here?.wait_s ?? 0)
    let slowed_ms = wait_s > 0 ? slowed_max_ms : 0
    if (wait_s === 0) {
      const [used] = await tenancy.callFunction(sql<{ hits: number }>`
        select door_counted(${account}, ${tries.account_window_s}) as hits`)
      counted = account
      const beyond = (used?.hits ?? 0) - tries.per_account_and_address
      if (beyond > 0) {
        slowed_ms = Math.min(beyond * slowed_step_ms, slowed_max_ms)
        wait_s = Math.max(1, await waitWhenFull(tenancy, account, tries.per_account_and_address))
      }
    }
    if (slowed_ms > 0) await pause(account, slowed_ms)
    return await look({
      open: wait_s === 0 || own || (here?.known ?? false),
      forgive: async () => void (await tenancy.callFunction(sql`select door_forgive(${account})`)),
      async fail(login_id, otherwise) {
        failed = true
        await tenancy.callFunction(sql`
          select door_count(${address}, ${tries.per_address}, ${tries.address_window_s}), door_failed(${login_id}, ${ip}::inet)`)
        return wait_s > 0 ? tooOften(wait_s) : otherwise
      },
    })
  } catch (error) {
    if (counted !== null && !failed) await undoCount(() => tenancy.callFunction(sql`select door_uncount(${counted})`))
    if (!failed && takeBackToo) await undoCount(takeBackToo)
    throw error
  }
}

const tooOften = (wait_s: number) =>
  tooMany(
    wait_s,
    'Too many sign-ins from here have failed. You can keep trying where you have signed in before; ' +
      `elsewhere, try again in ${roughDuration(wait_s)}.`,
  )

/** Places where the account has been used before are exempt: somebody with its password cannot lock its owner out there. */
export async function refuseCodesFromEverywhere(
  tenancy: Tenancy,
  { login_id, email, ip, device }: Pick<Tried, 'email' | 'ip' | 'device'> & { login_id: number },
) {
  const all = `second-factor:${login_id}`
  const [known] = await tenancy.callFunction(sql<{ known: boolean }>`
    select door_knows(${email}, ${networkOf(ip)}) or door_knows_device(${email}, ${device}) as known`)
  if (!known?.known) await refuseWhenFull(tenancy, all, codes.per_account)
  return {
    fail: async () =>
      void (await tenancy.callFunction(sql`select door_count(${all}, ${codes.per_account}, ${codes.window_s})`)),
  }
}

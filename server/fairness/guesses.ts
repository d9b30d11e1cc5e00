// Guesses: how tries to sign in are counted, so that nobody guesses for long and nobody is locked out by the guesses of others.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tenancy } from '#server/access/tenancy.ts'
import { refuseWhenFull } from './limits.ts'

const tries = { per_account_and_address: 10, account_window_s: 15 * 60, per_address: 100, address_window_s: 3600 }
/** Codes of a second factor, guessed from everywhere together by somebody who has the password. */
const codes = { per_account: 30, window_s: 3600 }

/** Each try beyond the limit waits so much longer, up to so long. */
const slowed_step_ms = 500
const slowed_max_ms = 5000

/** One try, counted already. */
export interface Try {
  /** It was right. */
  forgive(): Promise<void>
  /** It came to nothing for a reason of ours. */
  takeBack(): Promise<void>
  /** It was wrong. `login_id` 0: there is no such account. */
  fail(login_id: number, ip: string): Promise<void>
}

/**
 * Counts a try before it is checked, so that guesses sent all at once are counted too. The address comes first: one that
 * has failed too often counts against no account any more. Too many for one account are refused from that address alone;
 * from an address where the account has been used before they are only slowed down.
 */
export async function countTry(tenancy: Tenancy, email: string, network: string): Promise<Try> {
  const address = `login-from:${network}`
  const account = `login:${email} from ${network}`
  await refuseWhenFull(tenancy, address, tries.per_address)
  const [counted] = await tenancy.callFunction(sql<{ hits: number }>`
    select door_counted(${account}, ${tries.account_window_s}) as hits`)
  const beyond = (counted?.hits ?? 0) - tries.per_account_and_address
  if (beyond > 0) {
    const [known] = await tenancy.callFunction(
      sql<{ known: boolean }>`select door_knows(${email}, ${network}) as known`,
    )
    if (!known?.known) await refuseWhenFull(tenancy, account, tries.per_account_and_address)
    await sleep(Math.min(beyond * slowed_step_ms, slowed_max_ms))
  }
  return {
    forgive: async () => void (await tenancy.callFunction(sql`select door_forgive(${account})`)),
    takeBack: async () => void (await tenancy.callFunction(sql`select door_uncount(${account})`)),
    fail: async (login_id, ip) =>
      void (await tenancy.callFunction(sql`
        select door_count(${address}, ${tries.per_address}, ${tries.address_window_s}), door_failed(${login_id}, ${ip}::inet)`)),
  }
}

/** Where the account has been used before is not counted: whoever has its password cannot lock its owner out there. */
export async function refuseCodesFromEverywhere(tenancy: Tenancy, login_id: number, email: string, network: string) {
  const all = `second-factor:${login_id}`
  const [known] = await tenancy.callFunction(sql<{ known: boolean }>`select door_knows(${email}, ${network}) as known`)
  if (!known?.known) await refuseWhenFull(tenancy, all, codes.per_account)
  return {
    fail: async () =>
      void (await tenancy.callFunction(sql`select door_count(${all}, ${codes.per_account}, ${codes.window_s})`)),
  }
}

// Limits: what is counted before a message is sent that somebody asks for, and refused beyond its number.
import { userBehind } from '#server/access/present-rights.ts'
import { principalKey } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { tooMany } from '#server/errors/refused.ts'
import { countAll, roughDuration, refuseOver, type Counted } from '#server/fairness/quotas.ts'

export interface Limit {
  /** The counter: `mails to ada@guest.example`. */
  counted: string
  amount?: number
  max: number
  period: 'hour' | 'day'
  /** Explains the refusal. */
  sentence: string
}

/** Counts one more; refuses if it exceeds the customer's quota or one of the limits. Count late in a transaction. */
export async function countOrRefuse(scope: Scope, quota: 'mails' | 'texts', limits: readonly Limit[]): Promise<void> {
  const counted = await countAll(scope, [{ quota, amount: 1, daily: true }, ...limits.map((limit) => countOf(limit))])
  await refuseOver(scope, quota, 1, counted.get(quota))
  refuseBeyond(limits, counted)
}

/** The same for what a press brings about, which is counted against the quota when it is made. */
export async function countPress(scope: Scope, limit: Limit): Promise<void> {
  refuseBeyond([limit], await countAll(scope, [countOf(limit)]))
}

/** Who presses: a person, also where a program of theirs does it with a key. */
export async function whoPresses(scope: Scope): Promise<string> {
  const user_id = await userBehind(scope)
  return user_id === null ? principalKey(scope) : `user:${user_id}`
}

const countOf = ({ counted, amount = 1, period }: Limit) => ({ quota: counted, amount, daily: period === 'day' })

function refuseBeyond(limits: readonly Limit[], counted: Map<string, Counted>) {
  for (const limit of limits) {
    const { used, wait_s } = counted.get(limit.counted) ?? { used: 0, wait_s: 0 }
    if (used > limit.max) throw tooMany(wait_s, `${limit.sentence} Try again in ${roughDuration(wait_s)}.`)
  }
}

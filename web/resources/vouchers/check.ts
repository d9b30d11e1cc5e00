// Check: the state of a code at the desk: unchecked, valid or invalid. A check that failed shows INVALID too (specification,
// section 8), and says that the check failed and not the voucher.
import { useRef, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import { reasonUnknown, validate } from '#contract/vouchers.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { say } from '#web/words/desk.ts'
import { inLanguage } from '#web/words/fixed.ts'

export type VoucherFacts = Output<typeof validate>

export type Check =
  | { state: 'unchecked' }
  | { state: 'checking'; code: string }
  | { state: 'valid' | 'invalid'; code: string; reason: string; facts?: VoucherFacts; made: boolean }

/** Why a check returned no facts; `made`: the server did check the code. */
function failureOf(error: unknown): { reason: string; made: boolean } {
  const status = error instanceof Refused ? error.status : -1
  if (status === refusals.notFound.status) return { reason: inLanguage(reasonUnknown), made: true }
  const notMade = say('test.not-made')
  if (error instanceof Refused && status === refusals.tooMany.status) {
    const { retry_after_s: seconds } = error
    const wait = seconds ? say('test.too-many', { seconds }) : say('test.too-many-minute')
    return { reason: `${notMade} ${wait}`, made: false }
  }
  if (status === 0) return { reason: `${notMade} ${say('test.unreachable')}`, made: false }
  if (error instanceof Refused && status === refusals.invalid.status)
    return { reason: inLanguage(Object.values(error.errors)[0]?.[0] ?? error.message), made: true }
  return { reason: `${notMade} ${say('test.broken')}`, made: false }
}

export function useCheck(batch_id: number | undefined) {
  const [check, setCheck] = useState<Check>({ state: 'unchecked' })
  const pending = useRef<AbortController>(undefined)
  const reset = () => {
    pending.current?.abort()
    setCheck((before) => (before.state === 'unchecked' ? before : { state: 'unchecked' }))
  }
  /** Resolves when the answer is shown; a later check cancels an earlier one. */
  const ask = async (code: string) => {
    pending.current?.abort()
    const own = new AbortController()
    pending.current = own
    setCheck({ state: 'checking', code })
    try {
      const facts = await call(validate, { code, batch_id: batch_id ?? null }, { signal: own.signal })
      if (!own.signal.aborted)
        setCheck({ state: facts.state, code: facts.code, reason: facts.reason, facts, made: true })
    } catch (error) {
      if (!own.signal.aborted) setCheck({ state: 'invalid', code, ...failureOf(error) })
    }
  }
  return { check, ask, reset }
}

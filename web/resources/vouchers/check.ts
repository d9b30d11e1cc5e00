// Check: the state of a code at the desk: unchecked, valid or invalid. A check that failed shows INVALID too (specification,
// section 8), and says that the check failed and not the voucher.
import { useRef, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import { reasonUnknown, validate } from '#contract/vouchers.ts'
import { call, Refused } from '#web/kit/call/call.ts'

export type VoucherFacts = Output<typeof validate>

export type Check =
  | { state: 'unchecked' }
  | { state: 'checking'; code: string }
  | { state: 'valid' | 'invalid'; code: string; reason: string; facts?: VoucherFacts; made: boolean }

/** Why a check returned no facts; `made`: the server did check the code. */
function failureOf(error: unknown): { reason: string; made: boolean } {
  const status = error instanceof Refused ? error.status : -1
  if (status === refusals.notFound.status) return { reason: reasonUnknown, made: true }
  const notMade = 'The check could not be made, so this says nothing about the voucher.'
  if (error instanceof Refused && status === refusals.tooMany.status) {
    const wait = error.retry_after_s ? `${error.retry_after_s} seconds` : 'a minute'
    return { reason: `${notMade} Too many checks in a short time: wait ${wait}, then test it again.`, made: false }
  }
  if (status === 0)
    return { reason: `${notMade} Foyer cannot be reached: look at your connection, then test it again.`, made: false }
  if (error instanceof Refused && status === refusals.invalid.status)
    return { reason: Object.values(error.errors)[0]?.[0] ?? error.message, made: true }
  return { reason: `${notMade} Something went wrong on our side: test it again in a moment.`, made: false }
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

// Check: what the desk learns of a code: unchecked, valid or invalid. A check that could not be made shows INVALID too
// (specification, section 8), and says that it is the check which failed and not the voucher.
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

/** Why a check has no facts; `made`: the server did look. */
function without(error: unknown): { reason: string; made: boolean } {
  const status = error instanceof Refused ? error.status : -1
  if (status === refusals.notFound.status) return { reason: reasonUnknown, made: true }
  const could = 'The check could not be made, so this says nothing about the voucher.'
  if (error instanceof Refused && status === refusals.tooMany.status) {
    const wait = error.retry_after_s ? `${error.retry_after_s} seconds` : 'a minute'
    return { reason: `${could} Too many checks in a short time: wait ${wait}, then test it again.`, made: false }
  }
  if (status === 0)
    return { reason: `${could} Foyer cannot be reached: look at your connection, then test it again.`, made: false }
  if (error instanceof Refused && status === refusals.invalid.status)
    return { reason: Object.values(error.errors)[0]?.[0] ?? error.message, made: true }
  return { reason: `${could} Something went wrong on our side: test it again in a moment.`, made: false }
}

export function useCheck(batch_id: number | undefined) {
  const [check, setCheck] = useState<Check>({ state: 'unchecked' })
  const asking = useRef<AbortController>(undefined)
  const reset = () => {
    asking.current?.abort()
    setCheck((before) => (before.state === 'unchecked' ? before : { state: 'unchecked' }))
  }
  /** Resolves when the answer stands there; a later check overtakes an earlier one. */
  const ask = async (code: string) => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    setCheck({ state: 'checking', code })
    try {
      const facts = await call(validate, { code, batch_id: batch_id ?? null }, { signal: mine.signal })
      if (!mine.signal.aborted)
        setCheck({ state: facts.state, code: facts.code, reason: facts.reason, facts, made: true })
    } catch (error) {
      if (!mine.signal.aborted) setCheck({ state: 'invalid', code, ...without(error) })
    }
  }
  return { check, ask, reset }
}

// Use import: the states of an import: idle, with what the check of the chosen file found; then syncing; then it is over.
import { useEffect, useRef, useState } from 'react'
import { constants } from '#contract/constants.ts'
import type { Output } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import { accounts as importAccounts } from '#contract/imports.ts'
import * as accounts from '#contract/accounts.ts'
import { messages } from '#contract/messages.ts'
import { call, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'

export type Checked = Output<typeof importAccounts>
export interface Selections {
  file: File | undefined
  property_id: number | undefined
  /** For rows that say -1, or nothing. */
  package_id: number | undefined
  account_type_id: number
}
export type CheckState =
  | { state: 'none' }
  | { state: 'checking' }
  | { state: 'checked'; result: Checked }
  /** `again`: nothing is wrong with the file itself, so another try may do. */
  | { state: 'refused'; sentence: string; again: boolean }

const isInvalid = (error: unknown) => error instanceof Refused && error.status === refusals.invalid.status

const asked = ({ file, ...rest }: Selections, dry_run: boolean) => ({
  AccountImport: file ?? { name: '' },
  ...rest,
  dry_run,
})

/** The property stands in the call's address, too, as the specification has it. */
const placeOf = ({ property_id }: Selections) => ({ property_id })

/**
 * @param locked  the property of the address or of the one who works there
 * @param needsProperty  the file is not checked before a property is chosen
 */
export function useImport(locked: number | undefined, needsProperty: boolean, onDone: () => void) {
  const nothing: Selections = {
    file: undefined,
    property_id: locked,
    package_id: undefined,
    account_type_id: constants.account_types.regular,
  }
  const [chosen, setChosen] = useState<Selections>(nothing)
  const [check, setCheck] = useState<CheckState>({ state: 'none' })
  const [syncing, setSyncing] = useState(false)
  /** Why the last upload failed; it stands until another file is chosen. */
  const [failure, setFailure] = useState<string>()
  const [turn, setTurn] = useState(0)
  const complete = chosen.file !== undefined && (!needsProperty || chosen.property_id !== undefined)

  // Each choice may change what the rows mean, so each is checked anew; only the last one's answer counts.
  const asking = useRef<AbortController>(undefined)
  useEffect(() => {
    asking.current?.abort()
    if (!complete) return setCheck({ state: 'none' })
    const mine = new AbortController()
    asking.current = mine
    setCheck({ state: 'checking' })
    call(importAccounts, asked(chosen, true), { signal: mine.signal, query: placeOf(chosen) })
      .then((result) => setCheck({ state: 'checked', result }))
      .catch(
        (error: unknown) =>
          !mine.signal.aborted && setCheck({ state: 'refused', sentence: sentenceOf(error), again: !isInvalid(error) }),
      )
    return () => mine.abort()
  }, [chosen, complete, turn])

  const choose = (part: Partial<Selections>) => {
    if ('file' in part) setFailure(undefined)
    setChosen((before) => ({ ...before, ...part }))
  }
  const ready = check.state === 'checked' && check.result.problem_rows === 0 && check.result.total > 0

  const upload = async (mail_sign_ins: boolean) => {
    if (!ready || syncing) return
    setSyncing(true)
    try {
      const { total, duplicates } = await call(
        importAccounts,
        { ...asked(chosen, false), mail_sign_ins },
        { idempotencyKey: freshKey(), query: placeOf(chosen) },
      )
      notify.success(messages.imports.accountsImported(total))
      if (duplicates > 0) notify.error(messages.imports.duplicateContacts(duplicates))
      onDone()
    } catch (error) {
      notify.error(messages.imports.accountsFailed)
      setFailure(sentenceOf(error))
    }
    // Without an answer it may have been stored all the same.
    forgetLists(accounts.list.path)
    staleOthers()
    setChosen(nothing)
    setSyncing(false)
  }
  return { chosen, choose, check, checkAgain: () => setTurn(turn + 1), ready, upload, syncing, failure }
}

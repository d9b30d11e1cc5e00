// Use import: the states of an import: idle, with what the check of the chosen file found; then syncing; then it is over.
import { useEffect, useRef, useState } from 'react'
import { refusals } from '#contract/errors.ts'
import * as imports from '#contract/imports.ts'
import { callKind, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { Checked, ImportKind, Moves } from './kind.ts'
import { undoImport } from './undo-import.ts'

export interface Selections {
  file: File | undefined
  /** The sheet of the file to read, by name, where several may be meant. */
  sheet: string | undefined
  property_id: number | undefined
  /** Rows with problems are left out, and the others imported. */
  skip_problems: boolean
  /** For rows that say -1, or nothing: `package_id` and what else the kind knows. */
  rows: Readonly<Record<string, number | undefined>>
  /** Of a list of rooms: what it means for those whom it does not name. */
  mode?: Moves['mode']
}
/** What an upload has done. */
export type Done = Checked & { id: number; file_name: string | null; moved_out: number }
export type CheckState =
  | { state: 'none' }
  | { state: 'checking' }
  | { state: 'checked'; result: Checked }
  /** `again`: nothing is wrong with the file itself, so another try may do. */
  | { state: 'refused'; sentence: string; again: boolean }

export interface ImportOptions {
  /** The property of the address or of the one who works there. */
  locked: number | undefined
  /** The file is not checked before a property is chosen. */
  needsProperty: boolean
  /** What stands in `rows` before anybody chooses. */
  rows: Selections['rows']
}

/** The house has changed since the check, and more people move out than somebody has agreed to. */
const asksAgain = (error: unknown) => error instanceof Refused && error.errors['confirm_moves_out'] !== undefined
const isInvalid = (error: unknown) => error instanceof Refused && error.status === refusals.invalid.status

const asked = (
  { field }: ImportKind,
  { file, sheet, property_id, skip_problems, rows, mode }: Selections,
  dry_run: boolean,
) => ({
  [field]: file ?? { name: '' },
  sheet,
  property_id,
  skip_problems,
  ...rows,
  ...(mode && { mode }),
  dry_run,
})

/** The property stands in the call's address, too, as the specification has it. */
const placeOf = ({ property_id }: Selections) => ({ property_id })

/** Without an answer, or with one of trouble, it may have been stored all the same. */
const failureOf = (error: unknown) =>
  keepsKey(error)
    ? `${sentenceOf(error)} Recent imports says whether it was imported.`
    : `Nothing was imported. ${sentenceOf(error)}`

export type Import = ReturnType<typeof useImport>

export function useImport(kind: ImportKind, { locked, needsProperty, rows }: ImportOptions, onDone: () => void) {
  const nothing: Selections = { file: undefined, sheet: undefined, property_id: locked, skip_problems: false, rows }
  const [chosen, setChosen] = useState<Selections>(nothing)
  const [check, setCheck] = useState<CheckState>({ state: 'none' })
  /** What the last check offered of this file; it stays in sight while another sheet is checked. */
  const [sheets, setSheets] = useState<readonly string[]>([])
  const [syncing, setSyncing] = useState(false)
  /** Why the last upload failed; it stands until another file is chosen. */
  const [done, setDone] = useState<Done>()
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
    callKind<Checked>(kind.call, asked(kind, chosen, true), { signal: mine.signal, query: placeOf(chosen) })
      .then((result) => {
        setCheck({ state: 'checked', result })
        setSheets(result.sheets)
      })
      .catch(
        (error: unknown) =>
          !mine.signal.aborted && setCheck({ state: 'refused', sentence: sentenceOf(error), again: !isInvalid(error) }),
      )
    return () => mine.abort()
  }, [kind, chosen, complete, turn])

  const choose = (part: Partial<Selections>) => {
    if ('file' in part) {
      setFailure(undefined)
      setSheets([])
    }
    setChosen((before) => ({ ...before, ...('file' in part && { sheet: undefined, skip_problems: false }), ...part }))
  }
  const ready =
    check.state === 'checked' && (check.result.problem_rows === 0 || chosen.skip_problems) && check.result.total > 0

  /** `besides`: what the upload is asked to do that the check need not know. */
  const upload = async (besides: object = {}) => {
    if (!ready || syncing) return
    const file_name = chosen.file?.name ?? null
    setSyncing(true)
    try {
      const result = await callKind<Checked>(
        kind.call,
        { ...asked(kind, chosen, false), ...besides },
        { idempotencyKey: freshKey(), query: placeOf(chosen) },
      )
      const stored = { ...result, id: result.id ?? 0, file_name, moved_out: result.moves_out?.count ?? 0 }
      if (result.duplicates > 0) notify.error(kind.words.duplicates(result.duplicates))
      if (kind.staysOpen) setDone(stored)
      else {
        const undo = () => void undoImport(kind, stored).catch(notify.failure)
        notify.success(kind.words.imported(result.total), { label: 'Undo', onPick: undo })
        onDone()
      }
    } catch (error) {
      if (asksAgain(error)) {
        notify.error('The house has changed since the check. Please look again.')
        setTurn(turn + 1)
        return setSyncing(false)
      }
      notify.error(kind.words.failed)
      setFailure(failureOf(error))
    }
    // Without an answer it may have been stored all the same.
    forgetLists(kind.list.path)
    forgetLists(imports.list.path)
    staleOthers()
    setChosen(nothing)
    setSheets([])
    setSyncing(false)
  }
  return {
    chosen,
    choose,
    chooseForRows: (name: string, id: number | undefined) => choose({ rows: { ...chosen.rows, [name]: id } }),
    sheets,
    check,
    checkAgain: () => setTurn(turn + 1),
    ready,
    done,
    upload,
    syncing,
    failure,
  }
}

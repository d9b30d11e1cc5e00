// Use import: the states of an import: idle, with the result of the check of the chosen file; syncing; done.
import { useEffect, useRef, useState } from 'react'
import { refusals } from '#contract/errors.ts'
import * as imports from '#contract/imports.ts'
import { callKind, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { Checked, ImportKind, Moves } from './kind.ts'
import { undoImport } from './undo-import.ts'

export interface Selections {
  file: File | undefined
  /** The name of the sheet to read, if several could be meant. */
  sheet: string | undefined
  /** For dates that may be either day. */
  day_order: imports.OrderOfDays | undefined
  property_id: number | undefined
  /** Rows with problems are left out, and the others imported. */
  skip_problems: boolean
  /** For rows with -1 or an empty cell: `package_id` and further fields of the kind. */
  rows: Readonly<Record<string, number | undefined>>
  /** For a list of rooms: what it means for guests who are not in it. */
  mode?: Moves['mode']
}
/** The result of an upload. */
export type Done = Checked & { id: number; file_name: string | null; moved_out: number }
export type CheckState =
  | { state: 'none' }
  | { state: 'checking' }
  | { state: 'checked'; result: Checked }
  /** `again`: the file itself is not at fault, so another attempt may succeed. */
  | { state: 'refused'; sentence: string; again: boolean }

export interface ImportOptions {
  /** The property of the address, or of a property's user. */
  locked: number | undefined
  /** The file is not checked before a property is chosen. */
  needsProperty: boolean
  /** The initial values of `rows`. */
  rows: Selections['rows']
}

/** The occupancy has changed since the check, and more people would move out than the user has confirmed. */
const needsConfirmation = (error: unknown) =>
  error instanceof Refused && error.errors['confirm_moves_out'] !== undefined
const isInvalid = (error: unknown) => error instanceof Refused && error.status === refusals.invalid.status

const inputOf = (
  { field }: ImportKind,
  { file, sheet, day_order, property_id, skip_problems, rows, mode }: Selections,
  dry_run: boolean,
) => ({
  [field]: file ?? { name: '' },
  sheet,
  day_order,
  property_id,
  skip_problems,
  ...rows,
  ...(mode && { mode }),
  dry_run,
})

/** The specification also puts the property into the call's address. */
const placeOf = ({ property_id }: Selections) => ({ property_id })

/** Without an answer, or after an error of the server, it may have been stored nevertheless. */
const failureOf = (error: unknown) =>
  keepsKey(error)
    ? `${sentenceOf(error)} Recent imports says whether it was imported.`
    : `Nothing was imported. ${sentenceOf(error)}`

export type Import = ReturnType<typeof useImport>

export function useImport(kind: ImportKind, { locked, needsProperty, rows }: ImportOptions, onDone: () => void) {
  const nothing: Selections = {
    file: undefined,
    sheet: undefined,
    day_order: undefined,
    property_id: locked,
    skip_problems: false,
    rows,
  }
  const [chosen, setChosen] = useState<Selections>(nothing)
  const [check, setCheck] = useState<CheckState>({ state: 'none' })
  /** The sheets found by the last check of this file; they stay visible while another sheet is checked. */
  const [sheets, setSheets] = useState<readonly string[]>([])
  /** Asked by a check without an order; they stay visible once one is chosen. */
  const [dayOrders, setDayOrders] = useState<readonly imports.OrderOfDays[]>([])
  const [syncing, setSyncing] = useState(false)
  const [done, setDone] = useState<Done>()
  /** Why the last upload failed; shown until another file is chosen. */
  const [failure, setFailure] = useState<string>()
  const [turn, setTurn] = useState(0)
  const complete = chosen.file !== undefined && (!needsProperty || chosen.property_id !== undefined)

  // Each choice may change what the rows mean, so the file is checked again; only the last answer counts.
  const pending = useRef<AbortController>(undefined)
  useEffect(() => {
    pending.current?.abort()
    if (!complete) return setCheck({ state: 'none' })
    const own = new AbortController()
    pending.current = own
    setCheck({ state: 'checking' })
    callKind<Checked>(kind.call, inputOf(kind, chosen, true), { signal: own.signal, query: placeOf(chosen) })
      .then((result) => {
        setCheck({ state: 'checked', result })
        setSheets(result.sheets)
        if (chosen.day_order === undefined) setDayOrders(result.day_orders)
      })
      .catch(
        (error: unknown) =>
          !own.signal.aborted && setCheck({ state: 'refused', sentence: sentenceOf(error), again: !isInvalid(error) }),
      )
    return () => own.abort()
  }, [kind, chosen, complete, turn])

  const choose = (part: Partial<Selections>) => {
    if ('file' in part) {
      setFailure(undefined)
      setSheets([])
      setDayOrders([])
    }
    setChosen((before) => ({
      ...before,
      ...('file' in part && { sheet: undefined, day_order: undefined, skip_problems: false }),
      ...part,
    }))
  }
  const ready =
    check.state === 'checked' && (check.result.problem_rows === 0 || chosen.skip_problems) && check.result.total > 0

  /** `options`: fields of the upload that do not affect the check. */
  const upload = async (options: object = {}) => {
    if (!ready || syncing) return
    const file_name = chosen.file?.name ?? null
    setSyncing(true)
    try {
      const result = await callKind<Checked>(
        kind.call,
        { ...inputOf(kind, chosen, false), ...options },
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
      if (needsConfirmation(error)) {
        notify.error('The house has changed since the check. Please look again.')
        setTurn(turn + 1)
        return setSyncing(false)
      }
      notify.error(kind.words.failed)
      setFailure(failureOf(error))
    }
    // Even without an answer it may have been stored.
    forgetLists(kind.list.path)
    forgetLists(imports.list.path)
    invalidateOthers()
    setChosen(nothing)
    setSheets([])
    setSyncing(false)
  }
  return {
    chosen,
    choose,
    chooseForRows: (name: string, id: number | undefined) => choose({ rows: { ...chosen.rows, [name]: id } }),
    sheets,
    dayOrders,
    check,
    checkAgain: () => setTurn(turn + 1),
    ready,
    done,
    upload,
    syncing,
    failure,
  }
}

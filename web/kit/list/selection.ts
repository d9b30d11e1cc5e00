// Selection: which rows are selected, with ranges by Shift. Only active rows can be.
import { useRef, useState } from 'react'
import { isSelectable, type AnyRow } from './list-types.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** All matching rows, once they have been fetched; otherwise the selection is among the loaded rows. */
  matching: readonly AnyRow[] | undefined
  /** More rows matched than can be selected at once. */
  cut: boolean
  toggle: (row: AnyRow) => void
  /** From the last changed row to this one, inclusive, in the order shown: all take the new state of this one. */
  extendTo: (row: AnyRow, shown: readonly AnyRow[]) => void
  add: (rows: readonly AnyRow[]) => void
  /** Selects all that are shown, or none if all were selected. */
  all: (shown: readonly AnyRow[]) => void
  allMatching: (rows: readonly AnyRow[], cut: boolean) => void
  clear: () => void
}

/** The ids between two, inclusive, whichever comes first. */
export function between(shown: readonly number[], from: number | undefined, to: number): number[] {
  const end = shown.indexOf(to)
  const start = from === undefined ? end : shown.indexOf(from)
  if (start < 0 || end < 0) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** The selected rows in their present state, without those that have been disabled or deleted since. */
export function selectedRows(selection: Pick<Selection, 'ids' | 'matching'>, loaded: readonly AnyRow[]): AnyRow[] {
  if (selection.ids.size === 0) return []
  const now = new Map(loaded.map((row) => [row.id, row]))
  return (selection.matching ?? loaded)
    .filter((row) => selection.ids.has(row.id))
    .map((row) => now.get(row.id) ?? row)
    .filter(isSelectable)
}

interface Ticked {
  /** The question of the list when they were ticked: another one starts with none. */
  question: string
  ids: ReadonlySet<number>
  matching?: readonly AnyRow[]
  cut?: boolean
}

export function useSelection(question: string): Selection {
  const none: Ticked = { question, ids: new Set() }
  const [kept, setKept] = useState<Ticked>(none)
  const last = useRef<number>(undefined)
  const ticked = kept.question === question ? kept : none
  const change = (turn: (ids: Set<number>) => void) =>
    setKept((before) => {
      const from = before.question === question ? before : none
      const ids = new Set(from.ids)
      turn(ids)
      return { ...from, ids }
    })
  const put = (ids: Set<number>, more: readonly number[], on: boolean) => {
    for (const id of more)
      if (on) ids.add(id)
      else ids.delete(id)
  }
  return {
    ids: ticked.ids,
    matching: ticked.matching,
    cut: ticked.cut ?? false,
    toggle: (row) => {
      if (!isSelectable(row)) return
      last.current = row.id
      change((ids) => put(ids, [row.id], !ids.has(row.id)))
    },
    extendTo: (row, shown) => {
      if (!isSelectable(row)) return
      const range = between(
        shown.filter(isSelectable).map(({ id }) => id),
        last.current,
        row.id,
      )
      last.current = row.id
      change((ids) => put(ids, range, !ids.has(row.id)))
    },
    add: (rows) => {
      const more = rows.filter(isSelectable).map(({ id }) => id)
      last.current = more.at(-1) ?? last.current
      change((ids) => put(ids, more, true))
    },
    all: (shown) => {
      const all = shown.filter(isSelectable).map(({ id }) => id)
      setKept((before) => {
        const had = before.question === question && all.every((id) => before.ids.has(id))
        return { question, ids: new Set(had ? [] : all) }
      })
    },
    allMatching: (rows, cut) => setKept({ question, ids: new Set(rows.map(({ id }) => id)), matching: rows, cut }),
    clear: () => setKept(none),
  }
}

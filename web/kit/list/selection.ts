// Selection: which rows are ticked, with ranges by shift.
import { useRef, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<number>
  toggle: (id: number) => void
  /** From the last one touched to this one, in the order shown. */
  extendTo: (id: number, shown: readonly number[]) => void
  add: (ids: readonly number[]) => void
  all: (shown: readonly number[]) => void
  clear: () => void
}

/** The ids between two, both included, whichever comes first. */
export function between(shown: readonly number[], from: number | undefined, to: number): number[] {
  const end = shown.indexOf(to)
  const start = from === undefined ? end : shown.indexOf(from)
  if (start < 0 || end < 0) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1)
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number>(undefined)
  return {
    ids,
    toggle: (id) => {
      last.current = id
      setIds((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      })
    },
    extendTo: (id, shown) => {
      const range = between(shown, last.current, id)
      last.current = id
      setIds((before) => new Set([...before, ...range]))
    },
    add: (more) => {
      last.current = more.at(-1)
      setIds((before) => new Set([...before, ...more]))
    },
    all: (shown) => setIds((before) => (shown.every((id) => before.has(id)) ? new Set() : new Set(shown))),
    clear: () => setIds(new Set()),
  }
}

// useColumns: the columns of a list in the width of what is around it, as the person at this browser has chosen them.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { contentWidth } from '#web/ui/content-width.ts'
import { fitColumns, usualTitles, type Fitted, type Placed } from './columns.ts'

export interface ColumnChoice {
  /** The titles that are wanted, whether there is room or not. */
  chosen: readonly string[]
  /** Undefined: as the list has them by itself. */
  choose: (titles: readonly string[] | undefined) => void
  isUsual: boolean
}

/** The width of an element without its padding, as it changes: at first that of a screen's content, where it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width_px, setWidth] = useState(contentWidth)
  useLayoutEffect(() => {
    if (!element.current) return
    if (contentWidth() === 0) setWidth(element.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width_px
}

const keyOf = (path: string) => `foyer-columns ${path}`

function readChoice(path: string): string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(path)) ?? 'null')
    return Array.isArray(kept) ? kept.map(String) : undefined
  } catch {
    return undefined
  }
}

const nothing: ReadonlySet<string> = new Set()

/** @param path the list's own, by which the choice is kept · @param beside_px what ticks and menus take of the width */
export function useColumns<C extends Placed>(
  columns: readonly C[],
  path: string,
  beside_px: number,
  /** The titles of those in which no row says anything: hidden until somebody chooses. */
  empty: ReadonlySet<string> = nothing,
): { sheet: RefObject<HTMLDivElement | null>; isMeasured: boolean; fitted: Fitted<C>; choice: ColumnChoice } {
  const sheet = useRef<HTMLDivElement>(null)
  const width_px = useWidth(sheet)
  const [kept, setKept] = useState(() => readChoice(path))
  const chosen = kept ?? usualTitles(columns).filter((title) => !empty.has(title))
  const fitted = fitColumns(columns, width_px - beside_px, chosen)
  const choose = (titles: readonly string[] | undefined) => {
    setKept(titles ? [...titles] : undefined)
    try {
      if (titles) localStorage.setItem(keyOf(path), JSON.stringify(titles))
      else localStorage.removeItem(keyOf(path))
    } catch {
      // Where nothing can be kept, the choice holds until the page is left.
    }
  }
  return { sheet, isMeasured: width_px > 0, fitted, choice: { chosen, choose, isUsual: kept === undefined } }
}

// useColumns: the columns of a list that fit into its container, as chosen in this browser.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { contentWidth } from '#web/ui/content-width.ts'
import { fitColumns, defaultTitles, type Fitted, type Placed } from './columns.ts'

export interface ColumnChoice {
  /** The chosen titles, whether there is room or not. */
  chosen: readonly string[]
  /** Undefined resets to the list's default. */
  choose: (titles: readonly string[] | undefined) => void
  isDefault: boolean
}

/** The current width of an element without its padding; initially that of the screen's content, if it is known. */
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

/** @param path the list's own, under which the choice is stored · @param side_px the width of checkboxes and menus */
export function useColumns<C extends Placed>(
  columns: readonly C[],
  path: string,
  side_px: number,
  /** The titles of empty columns: hidden until the user chooses. */
  empty: ReadonlySet<string> = nothing,
): { sheet: RefObject<HTMLDivElement | null>; isMeasured: boolean; fitted: Fitted<C>; choice: ColumnChoice } {
  const sheet = useRef<HTMLDivElement>(null)
  const width_px = useWidth(sheet)
  const [kept, setKept] = useState(() => readChoice(path))
  const chosen = kept ?? defaultTitles(columns).filter((title) => !empty.has(title))
  const fitted = fitColumns(columns, width_px - side_px, chosen)
  const choose = (titles: readonly string[] | undefined) => {
    setKept(titles ? [...titles] : undefined)
    try {
      if (titles) localStorage.setItem(keyOf(path), JSON.stringify(titles))
      else localStorage.removeItem(keyOf(path))
    } catch {
      // If the browser stores nothing, the choice lasts until the page is left.
    }
  }
  return { sheet, isMeasured: width_px > 0, fitted, choice: { chosen, choose, isDefault: kept === undefined } }
}

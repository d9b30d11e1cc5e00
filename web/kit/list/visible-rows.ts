// Visible rows: which rows of a long table are in the viewport. All rows have the same height, so this is arithmetic; a
// virtualisation library, for rows of any height, would be a sixth of all the code of the first list.
import { startTransition, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'

export interface Span {
  /** The first row to render, and the one after the last. */
  start: number
  end: number
}

/** `top_px`: the position of the first row from the top of the window; negative once scrolled past. */
export function visibleSpan(top_px: number, window_px: number, row_px: number, count: number, spare: number): Span {
  const first = Math.floor(-top_px / row_px) - spare
  const last = Math.ceil((window_px - top_px) / row_px) + spare
  const start = Math.min(Math.max(0, first), Math.max(0, count - 1))
  return { start, end: Math.max(start, Math.min(count, last)) }
}

/** Where a row begins in the window, and how much of the window is covered above and below. */
interface Placed {
  top_px: number
  row_px: number
  window_px: number
  above_px: number
  below_px: number
}

/** How far to scroll so that a row is clear of sticky elements above and floating ones below; 0 if it is. */
export function scrollFor({ top_px, row_px, window_px, above_px, below_px }: Placed): number {
  if (top_px < above_px) return top_px - above_px
  const over = top_px + row_px - (window_px - below_px)
  return over > 0 ? over : 0
}

const spare_rows = 12
/** Of the window, by sticky elements and by floating ones. */
const covered = { above_px: 150, below_px: 90 }

export interface VisibleRows extends Span {
  scrollTo: (index: number) => void
}

/** `body`: the element whose children are the rows. Re-renders only when other rows come into view. */
export function useVisibleRows(body: RefObject<HTMLElement | null>, count: number, row_px: number): VisibleRows {
  // The spare rows are rendered after those in view.
  const [spare, setSpare] = useState(0)
  useEffect(() => startTransition(() => setSpare(spare_rows)), [])
  const [span, setSpan] = useState<Span>(() =>
    visibleSpan(covered.above_px, globalThis.innerHeight || 900, row_px, count, spare),
  )
  const update = useCallback(() => {
    if (!body.current) return
    const next = visibleSpan(body.current.getBoundingClientRect().top, window.innerHeight, row_px, count, spare)
    setSpan((before) => (before.start === next.start && before.end === next.end ? before : next))
  }, [body, count, row_px, spare])
  useLayoutEffect(() => {
    // In the next frame, which computes the layout anyway: measuring now would compute it twice.
    const frame = requestAnimationFrame(update)
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [update])
  return {
    start: Math.min(span.start, Math.max(0, count - 1)),
    end: Math.min(span.end, count),
    scrollTo: (index) => {
      const top_px = (body.current?.getBoundingClientRect().top ?? 0) + index * row_px
      window.scrollBy({
        top: scrollFor({ top_px, row_px, window_px: window.innerHeight, ...covered }),
        behavior: 'instant',
      })
    },
  }
}

interface Rendered<R> extends Span {
  rows: R[]
  active: number
}

/** The rows in view and the one with the focus, which stays rendered however far the user scrolls; and how many are left out between. */
export function withGaps<R>({ rows, active, start, end }: Rendered<R>) {
  const parts: ({ row: R; index: number } | { gap: number; before: number })[] = []
  let reached = 0
  const gapTo = (index: number) => {
    if (index > reached) parts.push({ gap: index - reached, before: index })
  }
  const add = (index: number) => {
    const row = rows[index]
    if (!row) return
    gapTo(index)
    reached = index + 1
    parts.push({ row, index })
  }
  if (active < start) add(active)
  for (let index = start; index < end; index++) add(index)
  if (active >= end) add(active)
  gapTo(rows.length)
  return parts
}

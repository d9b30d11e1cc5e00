// Rows in sight: which rows of a long table the window shows. All rows are equally high, so this is arithmetic; a
// library for it (for rows of any height) would be a sixth of all the code that the first list ships.
import { startTransition, useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'

export interface Span {
  /** The first row to draw, and the one after the last. */
  start: number
  end: number
}

/** `top_px`: where the first row is, from the upper edge of the window; negative once scrolled past. */
export function spanInSight(top_px: number, window_px: number, row_px: number, count: number, spare: number): Span {
  const first = Math.floor(-top_px / row_px) - spare
  const last = Math.ceil((window_px - top_px) / row_px) + spare
  const start = Math.min(Math.max(0, first), Math.max(0, count - 1))
  return { start, end: Math.max(start, Math.min(count, last)) }
}

/** How far to scroll so that a row stands clear of what sticks above and floats below; 0 when it does. */
export function scrollFor(
  rowTop_px: number,
  row_px: number,
  window_px: number,
  above_px: number,
  below_px: number,
): number {
  if (rowTop_px < above_px) return rowTop_px - above_px
  const over = rowTop_px + row_px - (window_px - below_px)
  return over > 0 ? over : 0
}

const spare_rows = 12
const sticks_above_px = 150
const floats_below_px = 90

export interface RowsInSight extends Span {
  scrollTo: (index: number) => void
}

/** `body`: the element whose children are the rows. Redraws only when other rows come into sight. */
export function useRowsInSight(body: RefObject<HTMLElement | null>, count: number, row_px: number): RowsInSight {
  // The rows beside those in sight come once these stand.
  const [spare, setSpare] = useState(0)
  useEffect(() => startTransition(() => setSpare(spare_rows)), [])
  const [span, setSpan] = useState<Span>(() =>
    spanInSight(sticks_above_px, globalThis.innerHeight || 900, row_px, count, spare),
  )
  const look = useCallback(() => {
    if (!body.current) return
    const next = spanInSight(body.current.getBoundingClientRect().top, window.innerHeight, row_px, count, spare)
    setSpan((before) => (before.start === next.start && before.end === next.end ? before : next))
  }, [body, count, row_px, spare])
  useLayoutEffect(() => {
    // With the next frame, which works out where everything is in any case: asked now, it would be worked out twice.
    const frame = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [look])
  return {
    start: Math.min(span.start, Math.max(0, count - 1)),
    end: Math.min(span.end, count),
    scrollTo: (index) => {
      const top = (body.current?.getBoundingClientRect().top ?? 0) + index * row_px
      window.scrollBy({
        top: scrollFor(top, row_px, window.innerHeight, sticks_above_px, floats_below_px),
        behavior: 'instant',
      })
    },
  }
}

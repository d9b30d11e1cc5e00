// Refresh rows: updates the loaded rows of a list in place from a newer response.
import { constants } from '#contract/constants.ts'
import type { Page } from './list-pages.ts'
import type { Pages } from './list-query.ts'

/** The most rows that one call may request. */
export const rows_looked_at_max = constants.list.page_rows_max

/**
 * `now`: the present beginning of the list, without rows created since. Loaded rows that are missing from it no longer match,
 * and are removed; rows after its end stay as they are.
 */
export function refreshRows<R extends { id: number }>(shown: Pages<R>, now: Page<R>): Pages<R> {
  const rows = new Map(now.data.map((row) => [row.id, row]))
  const loaded = shown.pages.flatMap(({ data }) => data.map(({ id }) => id))
  const ends = now.meta.next_cursor === null
  const covered = new Set(ends ? loaded : loaded.slice(0, loaded.findLastIndex((id) => rows.has(id)) + 1))
  let fewer = 0
  const pages = shown.pages.toReversed().map(({ data, meta }) => {
    const left = data.flatMap((row) => (rows.has(row.id) || !covered.has(row.id) ? [rows.get(row.id) ?? row] : []))
    const gone = data.length - left.length
    fewer += gone
    return { data: left, meta: { ...meta, total: Math.max(0, meta.total - fewer), to: meta.to - gone } }
  })
  return { ...shown, pages: pages.toReversed() }
}

// Fresh: what has become of the rows of a list since they were loaded, put in their places.
import { constants } from '#contract/constants.ts'
import type { Page } from './list-pages.ts'
import type { Pages } from './list-query.ts'

/** One call asks for no more. */
export const rows_looked_at_max = constants.list.page_rows_max

/**
 * `now`: the beginning of the list as it is now, without what was made since. A loaded row that it passes over fits the
 * question no longer, and goes; rows behind its end stay as they are.
 */
export function fresh<R extends { id: number }>(shown: Pages<R>, now: Page<R>): Pages<R> {
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

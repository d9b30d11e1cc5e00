// Fuzzy search: finds loaded rows that nearly match the typed text (specification, section 5).
import type Fuse from 'fuse.js'
import { constants } from '#contract/constants.ts'

const { fuzzy_threshold, match_length_min } = constants.search

/** Loaded when first needed: 10 KiB that a list without a search does not need. */
export const loadFuse = (): Promise<typeof Fuse> => import('fuse.js').then((module) => module.default)

export const isSearchable = (text: string): boolean => text.trim().length >= match_length_min

/** The rows that match, in their own order. Fewer than three characters leave all rows. */
export function fuzzy<R>(Search: typeof Fuse, rows: readonly R[], text: string, key: string): R[] {
  if (!isSearchable(text)) return [...rows]
  const search = new Search(rows, {
    keys: [key],
    threshold: fuzzy_threshold,
    minMatchCharLength: match_length_min,
    isCaseSensitive: false,
    ignoreLocation: true,
    shouldSort: false,
  })
  return search.search(text.trim()).map((found) => found.item)
}

// Wizard draft: what has been filled in so far, except passwords, stored in the tab to survive a reload or an expired session.
// It is deleted when the wizard is saved or left, or the user signs out.
import { here } from '#web/kit/navigation/go.ts'
import { parseSearch, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { session } from '#web/session/session.ts'
import type { Values } from './form-state.ts'

export interface Draft {
  /** Without secrets. */
  values: Values
  /** The furthest step that was opened, counted from 0. */
  reached: number
  /** The index in the tab's history at which the wizard begins. */
  depth: number
}

const prefix = 'foyer-wizard'

/** One draft per user and address without its step. */
export function draftKey(): string {
  const [path = '', query = ''] = here().split('?')
  const { step: _step, ...rest } = parseSearch(query)
  return `${prefix}:${session.get().user?.id}:${path}${stringifySearch(rest)}`
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'values' in value && 'reached' in value && 'depth' in value

export const drafts = {
  read(key: string): Draft | undefined {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
      return isDraft(kept) ? kept : undefined
    } catch {
      return undefined
    }
  },
  write(key: string, draft: Draft) {
    try {
      sessionStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // If the storage is full, only the draft is lost.
    }
  },
  clear: (key: string) => sessionStorage.removeItem(key),
}

session.onEnd(({ why }) => {
  if (why === 'left') for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) drafts.clear(key)
})

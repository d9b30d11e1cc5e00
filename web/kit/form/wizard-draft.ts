// Wizard draft: what has been filled in so far, kept by the tab over a reload or a session that has run out; never
// passwords. It is gone once it is saved, left, or its user signs out.
import { here } from '#web/kit/navigation/go.ts'
import { parseSearch, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { session } from '#web/session/session.ts'
import type { Values } from './form-state.ts'

export interface Draft {
  values: Values
  /** The furthest step that was opened, from 0. */
  reached: number
  /** Where in the tab's history the wizard begins. */
  depth: number
}

const prefix = 'foyer-wizard'
const secret = /password|secret|token/

/** Each address has its own, without its step; each user, too. */
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
    const values = Object.fromEntries(Object.entries(draft.values).filter(([name]) => !secret.test(name)))
    try {
      sessionStorage.setItem(key, JSON.stringify({ ...draft, values }))
    } catch {
      // A full storage costs the draft, and not the work.
    }
  },
  clear: (key: string) => sessionStorage.removeItem(key),
}

session.onEnd(({ why }) => {
  if (why === 'left') for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) drafts.clear(key)
})

// Typed: what stood in a form when the server ended the session. It is kept in this tab, for the same user alone, and stands in the form
// again once they are back. Secrets and files are not kept.
import { here } from '#web/kit/navigation/go.ts'
import { session } from '#web/session/session.ts'
import type { Values } from './form-state.ts'

/** The fields that differ from what was loaded: as they were loaded, and as they were typed. */
export interface Typed {
  start: Values
  values: Values
}

const prefix = 'foyer-typed'
const secret = /password|secret|token/
const isFile = (value: unknown): boolean => value instanceof Blob || (Array.isArray(value) && value.some(isFile))

/** What may be stored of what was typed. */
export const storable = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !secret.test(name) && !isFile(value)))

const ofUser = (user_id: number) => `${prefix}:${user_id}:`
/** A form of this address: `form` tells those of one address apart. */
const keyOf = (user_id: number, form: string) => `${ofUser(user_id)}${here()} ${form}`
const forget = (which: (key: string) => boolean) => {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && which(key)) sessionStorage.removeItem(key)
}

const isTyped = (value: unknown): value is Typed =>
  typeof value === 'object' && value !== null && 'start' in value && 'values' in value

export const typed = {
  keep(user_id: number, form: string, { start, values }: Typed) {
    try {
      const kept = { start: storable(start), values: storable(values) }
      sessionStorage.setItem(keyOf(user_id, form), JSON.stringify(kept))
    } catch {
      // If the storage is full, only this is lost.
    }
  },
  /** Given once. What another user has typed in this tab is forgotten. */
  take(user_id: number, form: string): Typed | undefined {
    forget((key) => !key.startsWith(ofUser(user_id)))
    const key = keyOf(user_id, form)
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
      return isTyped(kept) ? kept : undefined
    } catch {
      return undefined
    } finally {
      sessionStorage.removeItem(key)
    }
  },
}

session.onEnd(({ why }) => {
  if (why === 'left') forget(() => true)
})

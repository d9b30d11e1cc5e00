// Typed: what stood in a form or a field when the server ended the session, or when the app was drawn anew in another language. It is kept
// in this tab, for the same user alone, and stands there again once they are back. Secrets and files are not kept.
import { useEffect, useRef, useState } from 'react'
import { notify } from '#web/kit/dialog/notify.ts'
import { here } from '#web/kit/navigation/go.ts'
import { session } from '#web/session/session.ts'
import { say } from '#web/words/forms.ts'
import { onLanguage } from '#web/words/language.ts'
import type { Values } from './form-state.ts'

/** The fields that differ from what was loaded: as they were loaded, and as they were typed. */
export interface Typed {
  start: Values
  values: Values
}

const prefix = 'foyer-typed'
const secret = /password|secret|token/
const isFile = (value: unknown): boolean => value instanceof Blob || (Array.isArray(value) && value.some(isFile))
const isPart = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What may be stored of what was typed. `secrets`: the paths of fields that hide what is typed, as `settings.api_key`. */
export const storable = (values: Values, secrets: ReadonlySet<string> = new Set(), within = ''): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => !secret.test(name) && !secrets.has(within + name) && !isFile(value))
      .map(([name, value]) => [name, isPart(value) ? storable(value, secrets, `${within}${name}.`) : value]),
  )

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
    const kept = { start: storable(start), values: storable(values) }
    if (Object.keys(kept.values).length === 0) return
    try {
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

interface Kept {
  /** What is unsaved; undefined: nothing. */
  now: () => Typed | undefined
  /** What was kept is back: called once. */
  back: (kept: Typed) => void
}

/** Keeps what is typed under a name that is unique at its address, and gives it back as soon as there is something to put it in. */
export function useTyped(name: string, ready: boolean, kept: Kept) {
  const [user_id] = useState(() => session.get().user?.id)
  const latest = useRef(kept)
  useEffect(() => {
    latest.current = kept
  })
  useEffect(() => {
    const keep = () => {
      const now = latest.current.now()
      if (now && user_id !== undefined) typed.keep(user_id, name, now)
    }
    const stops = [session.onEnd(({ why }) => why === 'expired' && keep()), onLanguage(keep)]
    return () => stops.forEach((stop) => stop())
  }, [user_id, name])
  useEffect(() => {
    const before = ready && user_id !== undefined ? typed.take(user_id, name) : undefined
    if (!before) return
    latest.current.back(before)
    // That a dialog is open again shows by itself.
    if (Object.values(before.values).some((value) => typeof value !== 'boolean')) notify.success(say('typed-again'))
  }, [ready, user_id, name])
}

/** State that is typed without a form, such as the text of a single field, or that the dialog around a form is open. */
export function useTypedState<T>(name: string, initial: T) {
  const [value, set] = useState(initial)
  useTyped(name, true, {
    now: () =>
      JSON.stringify(value) === JSON.stringify(initial) ? undefined : { start: { value: initial }, values: { value } },
    back: ({ values }) => {
      if (typeof values['value'] === typeof initial) set(values['value'] as T)
    },
  })
  return [value, set] as const
}

// useForm: a form by its schema. Errors are shown on fields that are touched and invalid; the server's are shown on their fields
// until the field is edited; saving an invalid form is refused with 'Fields not valid'.
//
//   const form = useForm(Credentials, { email: '', password: '' }, async (values) => { … await call(login, values) … })
//   <form {...form.bind}> <Field form={form} name="email" label="E-mail" /> <Button submit busy={form.saving}>Sign in</Button> </form>
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'
import type { FieldErrors } from '#contract/errors.ts'
import { labelOf, type Fields } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { inLanguage } from '#web/words/fixed.ts'
import { afterPress } from './after-press.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import {
  byField,
  changedNames,
  isRequired,
  mergeLoaded,
  problems,
  tidy,
  type Schema,
  type Values,
} from './form-state.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { storable, useTyped, type Typed } from './typed.ts'

export type NameIn<S extends Schema> = keyof z.input<S> & string

export interface Form<S extends Schema = Schema> {
  schema: S
  values: Values
  /** Changes a value, which clears the field's server errors. */
  set: (name: NameIn<S>, value: unknown) => void
  /** Fills in the only choice without marking the form as changed, as the user has not typed anything. */
  preset: (name: NameIn<S>, value: unknown) => void
  /** Sent with every save, though it is not typed: what the user was told beside the fields. */
  sendAlong: (name: NameIn<S>, value: unknown) => void
  /** The field has been visited; its error may be shown. */
  touch: (name: NameIn<S>) => void
  errorOf: (name: NameIn<S>) => string | undefined
  /** The field is invalid, or the server has refused it and it has not been edited since. */
  wrong: (name: NameIn<S>) => boolean
  required: (name: NameIn<S>) => boolean
  /** The server's errors for fields that are not rendered here, and its refusals without fields. */
  general: string[]
  valid: boolean
  dirty: boolean
  /** What is unsaved, up to date as `unsaved`, without secrets. */
  typed: () => Typed
  /** The values without secrets. */
  storable: () => Values
  /** Like `dirty`, but up to date also between a save and the next render. */
  unsaved: () => boolean
  saving: boolean
  readOnly: boolean
  /** Fields that this user may not write though they may save the form, with the reason. They are shown but not sent. */
  locks: Readonly<Record<string, string>>
  /** Resolves to true if it was saved. */
  save: () => Promise<boolean>
  /** Touches these fields (default: all) and returns whether they are valid. Used by the steps of a wizard. */
  check: (names?: readonly string[]) => boolean
  /** Starts from these values, as if freshly loaded. */
  reset: (values: Values) => void
  /** Sets values as if they had been typed. */
  refill: (values: Values) => void
  /** Starts from these values and keeps what has been typed; returns the names of fields that both sides have changed. */
  rebase: (loaded: Values) => string[]
  /** Called by each rendered field, so that the server's errors are shown on it; and a secret one is not stored. */
  register: (name: string, isSecret?: boolean) => void
  /** The label of a field, from the description of its resource. */
  labelOf: (name: string) => string
  /** What its resource says of its fields: what a reference points at. */
  fields: Fields
  bind: { onSubmit: (event: FormEvent) => void; noValidate: true }
}

/** `changed`: the names of changed fields, and of what is sent along. `start`: the values when they were loaded. */
export interface Sending {
  changed: string[]
  start: Values
}
/** Sends the values; may throw `Refused`. The form then starts from what it returns, or from what was sent. */
export type Send<S extends Schema> = (values: z.input<S>, sending: Sending) => Promise<Values | void>

interface Manner<S extends Schema> {
  /**
   * Fields that the server checks as one, such as an address and its password: their errors are cleared when any of them is edited.
   */
  together?: readonly NameIn<S>[]
  /** Whom or what it is about, where its address does not say so: what was typed about one is not given back for another. */
  about?: string | number | undefined
}

/**
 * What was typed is kept when the server ends the session, and stands there again once the same user is back.
 * `schema`: may be a function of the values, such as for a draft that needs less.
 */
export function useForm<S extends Schema>(
  schema: S | ((values: Values) => S),
  initial: Partial<z.input<S>>,
  send: Send<S>,
  manner: Manner<S> = {},
): Form<S> {
  const form = useUnkeptForm(schema, initial, send, manner.together)
  const [fields] = useState(() => Object.keys(form.schema.shape).join(' '))
  useTyped(`${manner.about ?? ''} ${fields}`, true, {
    now: () => (form.unsaved() ? form.typed() : undefined),
    back: ({ values }) => form.refill(values),
  })
  return form
}

/** For a form that knows by itself when what was typed may stand in it again. */
export function useUnkeptForm<S extends Schema>(
  schema: S | ((values: Values) => S),
  initial: Partial<z.input<S>>,
  send: Send<S>,
  together: readonly NameIn<S>[] = [],
): Form<S> {
  const { shown, now, put, fill, rebase, secrets, along, ...kept } = useValues(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [saving, setSaving] = useState(false)
  const sending = useRef(false)
  const focusFirstWrong = useFocusOnWrong()
  const { start, values } = shown
  const schemaNow = (given: Values) => (typeof schema === 'function' ? schema(given) : schema)
  const present = schemaNow(values)
  const wrong = problems(present, values)
  const refusals = useRefusals()
  const { serverErrors } = refusals

  const check = (names?: readonly string[]) => {
    const latest = schemaNow(now.current.values)
    const mistakes = problems(latest, now.current.values)
    const checked = names ?? [...Object.keys(latest.shape), ...Object.keys(mistakes)]
    setTouched((before) => new Set([...before, ...checked]))
    const valid = checked.every((name) => !mistakes[name] && !serverErrors[name])
    if (!valid) focusFirstWrong()
    return valid
  }

  const save = async () => {
    if (sending.current) return false
    // The server's errors stay until their field is edited, and prevent another save.
    if (!check()) {
      notify.error(inLanguage(messages.fields.notValid))
      return false
    }
    notify.dismiss(inLanguage(messages.fields.notValid))
    sending.current = true
    setSaving(true)
    refusals.clearGeneral()
    const sent = now.current.values
    try {
      const changed = [...changedNames(now.current.start, sent), ...Object.keys(along.current)]
      const given = tidy(schemaNow(sent), { ...sent, ...along.current })
      const stored = await send(given as z.input<S>, { changed, start: now.current.start })
      // What was typed during the request stays, as unsaved changes.
      rebase(stored ?? sent, sent)
      setTouched(new Set())
      return true
    } catch (error) {
      if (refusals.take(error, schemaNow(now.current.values)) === 'fields') focusFirstWrong()
      return false
    } finally {
      sending.current = false
      setSaving(false)
    }
  }

  return {
    schema: present,
    values,
    set: (name, value) => {
      fill({ [name]: value })
      refusals.edited(together.includes(name) ? together : [name])
    },
    touch: (name) => afterPress(() => setTouched((before) => (before.has(name) ? before : new Set([...before, name])))),
    errorOf: (name) => {
      const sentence = (touched.has(name) ? wrong[name]?.[0] : undefined) ?? serverErrors[name]?.[0]
      return sentence === undefined ? undefined : inLanguage(sentence)
    },
    wrong: (name) => wrong[name] !== undefined || serverErrors[name] !== undefined,
    required: (name) => isRequired(present, name),
    general: refusals.general,
    valid: Object.keys(wrong).length === 0 && Object.keys(serverErrors).length === 0,
    dirty: changedNames(start, values).length > 0,
    ...kept,
    saving,
    readOnly: false,
    locks: {},
    save,
    check,
    reset: (next) => {
      put({ start: next, values: next })
      setTouched(new Set())
      refusals.clear()
    },
    refill: (next) => {
      fill(next)
      refusals.clearGeneral()
    },
    rebase,
    register: (name, isSecret) => {
      refusals.register(name)
      if (isSecret) secrets.current.add(name)
    },
    labelOf,
    fields: {},
    bind: {
      onSubmit: (event) => {
        event.preventDefault()
        void save()
      },
      noValidate: true,
    },
  }
}

/** The values as they are shown, and what of them is unsaved. */
function useValues(initial: Values) {
  const [shown, show] = useState<{ start: Values; values: Values }>({ start: initial, values: initial })
  // The latest values: a save right after a change must include it, even if it has not been rendered yet.
  const now = useRef(shown)
  const secrets = useRef(new Set<string>())
  const along = useRef<Values>({})
  const put = (next: { start: Values; values: Values }) => {
    now.current = next
    show(next)
  }
  const changed = () => changedNames(now.current.start, now.current.values)
  return {
    shown,
    now,
    put,
    secrets,
    along,
    sendAlong: (name: string, value: unknown) => {
      along.current = { ...along.current, [name]: value }
    },
    fill: (some: Values) => put({ ...now.current, values: { ...now.current.values, ...some } }),
    preset: (name: string, value: unknown) =>
      put({
        start: { ...now.current.start, [name]: value },
        values: { ...now.current.values, [name]: value },
      }),
    rebase: (loaded: Values, base: Values = now.current.start): string[] => {
      const { values: merged, clashes } = mergeLoaded(base, now.current.values, loaded)
      put({ start: loaded, values: merged })
      return clashes
    },
    unsaved: () => changed().length > 0,
    typed: () => {
      const names = changed()
      const pick = (from: Values) =>
        storable(Object.fromEntries(names.map((name) => [name, from[name]])), secrets.current)
      return { start: pick(now.current.start), values: pick(now.current.values) }
    },
    storable: () => storable(now.current.values, secrets.current),
  }
}

/** What the server has refused: of the fields that are rendered, until they are edited, and of the form as a whole. */
function useRefusals() {
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const [general, setGeneral] = useState<string[]>([])
  // Fields that were ever rendered, which includes those of a wizard's other steps.
  const registered = useRef(new Set<string>())
  return {
    serverErrors,
    general,
    register: (name: string) => registered.current.add(name),
    take(error: unknown, schema: Schema): 'fields' | 'form' {
      const errors = error instanceof Refused ? byField(error.errors, schema) : {}
      setServerErrors(errors)
      const unassigned = Object.entries(errors)
        .filter(([name]) => !registered.current.has(name))
        .flatMap(([, sentences]) => sentences)
      const without = Object.keys(errors).length === 0
      setGeneral(without ? [sentenceOf(error)] : unassigned.map(inLanguage))
      return without ? 'form' : 'fields'
    },
    edited(names: readonly string[]) {
      const isEdited = (refused: string) => names.some((one) => refused === one || refused.startsWith(`${one}.`))
      setServerErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !isEdited(name))))
      setGeneral([])
    },
    clearGeneral: () => setGeneral([]),
    clear() {
      setServerErrors({})
      setGeneral([])
    },
  }
}

/** Focuses the first invalid field in the render that shows its error: later, it could interrupt a user who types on. */
function useFocusOnWrong(): () => void {
  const [requests, setRequests] = useState(0)
  useLayoutEffect(() => {
    if (requests > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [requests])
  return () => setRequests((before) => before + 1)
}

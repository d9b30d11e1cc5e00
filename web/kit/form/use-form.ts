// useForm: a form by its schema. Sentences show on fields that are touched and wrong; the server's own land on their
// fields and go when the field is edited; a save of a wrong form is refused with 'Fields not valid'.
//
//   const form = useForm(Credentials, { email: '', password: '' }, async (values) => { … await call(login, values) … })
//   <form {...form.bind}> <Field form={form} name="email" label="E-mail" /> <Button submit busy={form.saving}>Sign in</Button> </form>
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'
import type { FieldErrors } from '#contract/errors.ts'
import { labelOf } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
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

export type NameIn<S extends Schema> = keyof z.input<S> & string

export interface Form<S extends Schema = Schema> {
  schema: S
  values: Values
  /** Marks the form dirty, clears the field's server errors, and judges anew. */
  set: (name: NameIn<S>, value: unknown) => void
  /** Fills in what is the only choice: nothing has been typed, so nothing is unsaved by it. */
  preset: (name: NameIn<S>, value: unknown) => void
  /** The field has been visited; its sentence may show. */
  touch: (name: NameIn<S>) => void
  errorOf: (name: NameIn<S>) => string | undefined
  /** The field is wrong as it stands, or the server has refused it and it has not been edited since. */
  wrong: (name: NameIn<S>) => boolean
  required: (name: NameIn<S>) => boolean
  /** The server's sentences that belong to no field drawn here, and its refusals without fields. */
  general: string[]
  valid: boolean
  dirty: boolean
  /** As `dirty`, but true to this very moment, also between a save and the next draw. */
  unsaved: () => boolean
  saving: boolean
  readOnly: boolean
  /** Fields that this user may not write, though the form can be saved, with the reason. They are shown and not sent. */
  locks: Readonly<Record<string, string>>
  /** True when saved. */
  save: () => Promise<boolean>
  /** Touches these fields (default: all); answers whether they are right. A wizard's step asks this. */
  check: (names?: readonly string[]) => boolean
  /** Starts from these values, as if freshly loaded. */
  reset: (values: Values) => void
  /** Puts values in as if they had been typed. */
  refill: (values: Values) => void
  /** Starts from these values and keeps what has been typed; answers the names that both sides have changed. */
  rebase: (loaded: Values) => string[]
  /** A field that is drawn says so, that server errors find it. */
  register: (name: string) => void
  /** What people call a field, by the description of its resource. */
  labelOf: (name: string) => string
  bind: { onSubmit: (event: FormEvent) => void; noValidate: true }
}

/** `changed`: the names that differ from the start. `start`: what the fields held when they were loaded. */
export interface Sending {
  changed: string[]
  start: Values
}
/** Sends; may throw `Refused`. What it answers is what the form starts from afterwards; without, what was sent. */
export type Send<S extends Schema> = (values: z.input<S>, sending: Sending) => Promise<Values | void>

/**
 * `schema`: or how it follows from what is filled in, such as a draft that needs less. `together`: fields that the server judges as
 * one, such as an address and its password: a refusal of one goes when any of them is edited.
 */
export function useForm<S extends Schema>(
  schema: S | ((values: Values) => S),
  initial: Partial<z.input<S>>,
  send: Send<S>,
  together: readonly NameIn<S>[] = [],
): Form<S> {
  const [shown, show] = useState<{ start: Values; values: Values }>({ start: initial, values: initial })
  // What holds at this moment: a save begun right after a change sends the change, whether it has been drawn or not.
  const now = useRef(shown)
  const put = (next: { start: Values; values: Values }) => {
    now.current = next
    show(next)
  }
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const [general, setGeneral] = useState<string[]>([])
  const [saving, setSaving] = useState(false)
  const sending = useRef(false)
  const focusFirstWrong = useFocusOnWrong()
  // Fields that were ever drawn: those of another step of a wizard are known too.
  const drawn = useRef(new Set<string>())
  const { start, values } = shown
  const schemaNow = (given: Values) => (typeof schema === 'function' ? schema(given) : schema)
  const present = schemaNow(values)
  const wrong = problems(present, values)

  const check = (names?: readonly string[]) => {
    const judged = schemaNow(now.current.values)
    const asked = names ?? Object.keys(judged.shape)
    const mistakes = problems(judged, now.current.values)
    setTouched((before) => new Set([...before, ...asked]))
    const right = asked.every((name) => !mistakes[name] && !serverErrors[name])
    if (!right) focusFirstWrong()
    return right
  }

  function refused(error: unknown) {
    const errors = error instanceof Refused ? byField(error.errors) : {}
    setServerErrors(errors)
    const homeless = Object.entries(errors)
      .filter(([name]) => !drawn.current.has(name))
      .flatMap(([, sentences]) => sentences)
    const without = Object.keys(errors).length === 0
    setGeneral(without ? [sentenceOf(error)] : homeless)
    if (!without) focusFirstWrong()
  }

  const rebase = (loaded: Values, base: Values = now.current.start): string[] => {
    const { values: merged, clashes } = mergeLoaded(base, now.current.values, loaded)
    put({ start: loaded, values: merged })
    return clashes
  }

  const save = async () => {
    if (sending.current) return false
    // Errors of the server stand until their field is edited, and so does its refusal.
    if (!check()) {
      notify.error(messages.fields.notValid)
      return false
    }
    notify.dismiss(messages.fields.notValid)
    sending.current = true
    setSaving(true)
    setGeneral([])
    const sent = now.current.values
    try {
      const changed = changedNames(now.current.start, sent)
      const stored = await send(tidy(schemaNow(sent), sent) as z.input<S>, { changed, start: now.current.start })
      // What was typed while the answer was on its way stays, and is unsaved.
      rebase(stored ?? sent, sent)
      setTouched(new Set())
      return true
    } catch (error) {
      refused(error)
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
      put({ ...now.current, values: { ...now.current.values, [name]: value } })
      const edited: readonly string[] = together.includes(name) ? together : [name]
      setServerErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([refusedName]) => !edited.includes(refusedName))),
      )
      setGeneral([])
    },
    preset: (name, value) =>
      put({
        start: { ...now.current.start, [name]: value },
        values: { ...now.current.values, [name]: value },
      }),
    touch: (name) => afterPress(() => setTouched((before) => (before.has(name) ? before : new Set([...before, name])))),
    errorOf: (name) => (touched.has(name) ? wrong[name]?.[0] : undefined) ?? serverErrors[name]?.[0],
    wrong: (name) => wrong[name] !== undefined || serverErrors[name] !== undefined,
    required: (name) => isRequired(present, name),
    general,
    valid: Object.keys(wrong).length === 0 && Object.keys(serverErrors).length === 0,
    dirty: changedNames(start, values).length > 0,
    unsaved: () => changedNames(now.current.start, now.current.values).length > 0,
    saving,
    readOnly: false,
    locks: {},
    save,
    check,
    reset: (next) => {
      put({ start: next, values: next })
      setTouched(new Set())
      setServerErrors({})
      setGeneral([])
    },
    refill: (next) => {
      put({ ...now.current, values: { ...now.current.values, ...next } })
      setGeneral([])
    },
    rebase,
    register: (name) => void drawn.current.add(name),
    labelOf,
    bind: {
      onSubmit: (event) => {
        event.preventDefault()
        void save()
      },
      noValidate: true,
    },
  }
}

/** Gives the focus to the first wrong field as its sentence is drawn: later, it would take the focus from who types on. */
function useFocusOnWrong(): () => void {
  const [asked, ask] = useState(0)
  useLayoutEffect(() => {
    if (asked > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked])
  return () => ask((before) => before + 1)
}

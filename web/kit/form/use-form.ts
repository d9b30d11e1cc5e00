// useForm: a form by its schema. Sentences show on fields that are touched and wrong; the server's own land on their
// fields and go when the field is edited; a save of a wrong form is refused with 'Fields not valid'.
//
//   const form = useForm(Credentials, { email: '', password: '' }, async (values) => { … await call(login, values) … })
//   <form {...form.bind}> <Field form={form} name="email" label="E-mail" /> <Button submit busy={form.saving}>Sign in</Button> </form>
import { useRef, useState, type FormEvent } from 'react'
import type { z } from 'zod'
import type { FieldErrors } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import { afterPress } from './after-press.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { byField, changedNames, isRequired, problems, tidy, type Schema, type Values } from './form-state.ts'
import { notify } from '#web/kit/dialog/notify.ts'

export type NameIn<S extends Schema> = keyof z.input<S> & string

export interface Form<S extends Schema = Schema> {
  schema: S
  values: Values
  /** Marks the form dirty, clears the field's server errors, and judges anew. */
  set: (name: NameIn<S>, value: unknown) => void
  /** The field has been visited; its sentence may show. */
  touch: (name: NameIn<S>) => void
  errorOf: (name: NameIn<S>) => string | undefined
  /** The server has refused this field, and it has not been edited since. */
  refusedOn: (name: NameIn<S>) => boolean
  required: (name: NameIn<S>) => boolean
  /** The server's sentences that belong to no field drawn here, and its refusals without fields. */
  general: string[]
  valid: boolean
  dirty: boolean
  saving: boolean
  readOnly: boolean
  /** True when saved. */
  save: () => Promise<boolean>
  /** Touches these fields (default: all); answers whether they are right. A wizard's step asks this. */
  check: (names?: readonly string[]) => boolean
  /** Starts from these values, as if freshly loaded. */
  reset: (values: Values) => void
  /** A field that is drawn says so, that server errors find it. */
  register: (name: string) => void
  bind: { onSubmit: (event: FormEvent) => void; noValidate: true }
}

/** Sends; may throw `Refused`. `changed`: the names that differ from the start. */
export type Send<S extends Schema> = (values: z.input<S>, changed: string[]) => Promise<void>

export function useForm<S extends Schema>(schema: S, initial: Partial<z.input<S>>, send: Send<S>): Form<S> {
  const [start, setStart] = useState<Values>(initial)
  const [values, setValues] = useState<Values>(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const [general, setGeneral] = useState<string[]>([])
  const [saving, setSaving] = useState(false)
  // Fields that were ever drawn: those of another step of a wizard are known too.
  const drawn = useRef(new Set<string>())
  const wrong = problems(schema, values)
  const changed = changedNames(start, values)

  const check = (names: readonly string[] = Object.keys(schema.shape)) => {
    setTouched((before) => new Set([...before, ...names]))
    const right = names.every((name) => !wrong[name] && !serverErrors[name])
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

  const save = async () => {
    if (saving) return false
    // Errors of the server stand until their field is edited, and so does its refusal.
    if (!check()) {
      notify.error(messages.fields.notValid)
      return false
    }
    setSaving(true)
    setGeneral([])
    try {
      await send(tidy(schema, values) as z.input<S>, changed)
      return true
    } catch (error) {
      refused(error)
      return false
    } finally {
      setSaving(false)
    }
  }

  return {
    schema,
    values,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }))
      setServerErrors(({ [name]: _gone, ...others }) => others)
      setGeneral([])
    },
    touch: (name) => afterPress(() => setTouched((before) => (before.has(name) ? before : new Set([...before, name])))),
    errorOf: (name) => (touched.has(name) ? wrong[name]?.[0] : undefined) ?? serverErrors[name]?.[0],
    refusedOn: (name) => serverErrors[name] !== undefined,
    required: (name) => isRequired(schema, name),
    general,
    valid: Object.keys(wrong).length === 0 && Object.keys(serverErrors).length === 0,
    dirty: changed.length > 0,
    saving,
    readOnly: false,
    save,
    check,
    reset: (next) => {
      setStart(next)
      setValues(next)
      setTouched(new Set())
      setServerErrors({})
      setGeneral([])
    },
    register: (name) => void drawn.current.add(name),
    bind: {
      onSubmit: (event) => {
        event.preventDefault()
        void save()
      },
      noValidate: true,
    },
  }
}

/** After the sentences are drawn. */
function focusFirstWrong() {
  setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 30)
}

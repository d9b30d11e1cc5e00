// Wizard: a form in steps; the open one is in the address. Going forward requires that the step's own fields are valid; the last
// step saves. If a field of another step is invalid, that step is opened.
//
//   <Wizard form={form} noun="property" back={to.properties()} done={(property) => to.propertyCreated(property.id)} steps={[
//     { title: 'Property', fields: ['name', 'email'], body: <Section title="Property"> … </Section> },
//     { title: 'Address', fields: ['address', 'city'], body: … },
//   ]} />
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Steps } from '#web/ui/steps.tsx'
import { useFormKeys } from './form-keys.ts'
import type { Schema } from './form-state.ts'
import { leaveTo } from '#web/kit/navigation/go.ts'
import { useLeaveGuard } from './leave-guard.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { General, NotReady, savedSentence } from './resource-form.tsx'
import type { NameIn } from './use-form.ts'
import type { ResourceFormState } from './use-resource.ts'
import { useWizardSteps } from './wizard-steps.ts'
import styles from './resource-form.module.css'

export interface Step {
  title: string
  /** The fields that must be valid before going on. */
  fields: readonly string[]
  body: ReactNode
}

export interface WizardProps<S extends Schema, R> {
  form: ResourceFormState<S, R>
  noun: string
  /** The address that Cancel goes to. */
  back: string
  steps: readonly Step[]
  /** The address that replaces the wizard after saving. */
  done: (record: R) => string
  /** The form's `draft` field, which makes fewer fields required. With it, every step offers to save as a draft. */
  draftable?: NameIn<S>
  /** The field for the step at which a draft was left, counted from 1. */
  stepField?: NameIn<S>
  /** For a resumed draft: the step at which it was left, counted from 0. */
  begun?: number
  /** Everything required is known already, so that one press creates the record. */
  ready?: boolean
}

export function Wizard<S extends Schema, R>(props: WizardProps<S, R>) {
  const { form, noun, back, steps, done, draftable, stepField, begun = 0, ready = false } = props
  const { at, move, finish } = useWizardSteps(form, steps.length, {
    begun,
    // In a complete record, any step may be opened.
    known: form.id !== undefined && !draftable ? steps.length - 1 : begun,
  })
  useLeaveGuard(form)
  const element = useRef<HTMLFormElement>(null)
  const body = useRef<HTMLDivElement>(null)
  useFocusOnMove(body, at)
  useFocusWhereReady(element, ready)
  const seekWrong = useWrongStep({ form, steps, at, move })
  const last = at === steps.length - 1
  // Completing a draft counts as creating the record.
  const isNew = form.id === undefined || draftable !== undefined

  const save = async (sentence: string): Promise<boolean> => {
    // It has been created, and the next screen is on its way.
    if (form.id === undefined && form.saved() !== undefined) return true
    if (!(await form.save())) {
      seekWrong()
      return false
    }
    notify.success(sentence)
    const saved = form.saved()
    if (saved !== undefined) finish(done(saved))
    return true
  }
  const onward = () => {
    // It is no longer a draft.
    if (last && draftable) form.set(draftable, false)
    if (last) return void save(savedSentence(noun, form.id))
    if (!form.check(steps[at]?.fields)) return notify.error(messages.fields.notValid)
    notify.dismiss(messages.fields.notValid)
    move(at + 1)
  }
  /** The remaining fields have defaults, or can be filled in later. */
  const createNow = async () => {
    if (draftable) form.set(draftable, false)
    await save(savedSentence(noun, form.id))
  }
  const saveDraft = async (field: NameIn<S>) => {
    form.set(field, true)
    if (stepField) form.set(stepField, at + 1)
    // If it was refused, the form is not a draft after all.
    if (!(await save(`The ${noun} has been saved as a draft`))) form.refill({ [field]: false })
  }
  useFormKeys(element, {
    save: () => {
      // The buttons are disabled meanwhile: a second save would be taken for a refused one.
      if (form.saving) return
      if (last || !draftable) onward()
      else void saveDraft(draftable)
    },
    leave: () => leaveTo(back),
  })

  if (form.state !== 'ready') return <NotReady form={form} noun={noun} back={back} />
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onward()
      }}
    >
      <Steps titles={steps.map(({ title }) => title)} at={at} onPick={move} />
      <General sentences={form.general} />
      <div ref={body}>{steps[at]?.body}</div>
      <div className={styles.buttons}>
        <Button onClick={() => (at === 0 ? leaveTo(back) : move(at - 1))}>
          {at === 0 ? messages.modal.cancel : 'Back'}
        </Button>
        {draftable && (
          <Button disabled={form.saving} onClick={() => void saveDraft(draftable)}>
            Save as draft
          </Button>
        )}
        {form.valid && !last && !begun && (
          <Button disabled={form.saving} onClick={() => void createNow()} first={ready}>
            {isNew ? 'Create now' : messages.portal.update}
          </Button>
        )}
        <Button kind="primary" submit busy={form.saving}>
          {last ? (isNew ? messages.portal.create : messages.portal.update) : messages.portal.continue}
        </Button>
      </div>
    </form>
  )
}

/** Focuses the button that creates the record at once. */
function useFocusWhereReady(element: React.RefObject<HTMLFormElement | null>, ready: boolean) {
  useEffect(() => {
    if (ready) element.current?.querySelector<HTMLElement>('button[data-autofocus]')?.focus()
  }, [element, ready])
}

/** Opening a step focuses its first field, or its heading if the first field is a select, which would open. */
function useFocusOnMove(body: React.RefObject<HTMLDivElement | null>, at: number) {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    const field = body.current?.querySelector<HTMLElement>('input, textarea, button')
    const heading = body.current?.querySelector<HTMLElement>('h2')
    heading?.setAttribute('tabindex', '-1')
    const first = field?.matches('[role="combobox"], [aria-haspopup]') ? heading : field
    first?.focus()
    window.scrollTo({ top: 0 })
  }, [body, at])
}

/** Returns a function that opens the first step with an invalid field, to be called after a refused save. */
function useWrongStep<S extends Schema, R>({
  form,
  steps,
  at,
  move,
}: Pick<WizardProps<S, R>, 'form' | 'steps'> & { at: number; move: (to: number) => void }): () => void {
  const [seeking, setSeeking] = useState(false)
  useEffect(() => {
    if (!seeking || form.saving) return
    setSeeking(false)
    const wrong = steps.findIndex((step) => step.fields.some((name) => form.wrong(name)))
    if (wrong >= 0 && wrong !== at) move(wrong)
  }, [seeking, form, steps, at, move])
  return () => setSeeking(true)
}

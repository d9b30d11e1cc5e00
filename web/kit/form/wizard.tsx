// Wizard: a form in steps, beginning at the first. A step is left forwards only when its own fields are right; the last
// one saves. A refusal of the server opens the step whose field it is about.
//
//   <Wizard form={form} noun="property" back={to.properties()} onDone={(property) => go(to.propertyCreated(property.id))} steps={[
//     { title: 'Property', fields: ['name', 'email'], body: <Section title="Property"> … </Section> },
//     { title: 'Address', fields: ['address', 'city'], body: … },
//   ]} />
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Steps } from '#web/ui/steps.tsx'
import type { Schema } from './form-state.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useLeaveGuard } from './leave-guard.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { General, NotReady, savedSentence } from './resource-form.tsx'
import type { NameIn } from './use-form.ts'
import type { ResourceFormState } from './use-resource.ts'
import styles from './resource-form.module.css'

export interface Step<S extends Schema> {
  title: string
  /** The fields that must be right before one goes on. */
  fields: readonly NameIn<S>[]
  body: ReactNode
}

export interface WizardProps<S extends Schema, R> {
  form: ResourceFormState<S, R>
  noun: string
  /** The address that Cancel goes to. */
  back: string
  steps: readonly Step<S>[]
  onDone: (record: R) => void
  /** Beside the buttons of every step: another way to save, such as a draft. */
  aside?: ReactNode
}

export function Wizard<S extends Schema, R>({ form, noun, back, steps, onDone, aside }: WizardProps<S, R>) {
  const [at, setAt] = useState(0)
  const letPass = useLeaveGuard(form.dirty && !form.saving)
  const body = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (!moved.current) return
    body.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus()
    window.scrollTo({ top: 0 })
  }, [at])
  if (form.state !== 'ready') return <NotReady form={form} noun={noun} back={back} />
  const step = steps[at]
  if (!step) return null
  const last = at === steps.length - 1
  const move = (to: number) => {
    moved.current = true
    setAt(to)
  }
  const onward = async () => {
    if (!form.check(step.fields)) return notify.error(messages.fields.notValid)
    if (!last) return move(at + 1)
    if (await form.save()) {
      notify.success(savedSentence(noun, form.id))
      letPass()
      const saved = form.saved()
      if (saved !== undefined) onDone(saved)
    }
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onward()
      }}
    >
      <Steps titles={steps.map(({ title }) => title)} at={at} onPick={move} />
      <WrongStep form={form} steps={steps} at={at} move={move} />
      <General sentences={form.general} />
      <div ref={body}>{step.body}</div>
      <div className={styles.buttons}>
        <Button onClick={() => (at === 0 ? go(back) : move(at - 1))}>
          {at === 0 ? messages.modal.cancel : 'Back'}
        </Button>
        {aside}
        <Button kind="primary" submit busy={form.saving}>
          {!last ? messages.portal.continue : form.id === undefined ? messages.portal.create : messages.portal.update}
        </Button>
      </div>
    </form>
  )
}

/** Goes to the first step that has something wrong, once a save was refused. */
function WrongStep<S extends Schema, R>({
  form,
  steps,
  at,
  move,
}: {
  form: ResourceFormState<S, R>
  steps: readonly Step<S>[]
  at: number
  move: (to: number) => void
}) {
  const wrong = form.saving ? -1 : steps.findIndex((step) => step.fields.some((name) => form.refusedOn(name)))
  const gone = useRef(-1)
  useEffect(() => {
    if (wrong < 0) gone.current = -1
    else if (wrong !== at && gone.current !== wrong) {
      gone.current = wrong
      move(wrong)
    }
  }, [wrong, at, move])
  return null
}

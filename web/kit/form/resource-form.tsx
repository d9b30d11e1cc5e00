// Resource form: the frame of a record's form: skeleton while it loads, the buttons, the notice when saved, and the
// confirmation before leaving unsaved changes. Put `Section`s with fields inside.
import { useRef, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState, Notice, Skeleton } from '#web/ui/state.tsx'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { say } from '#web/words/forms.ts'
import { useFormKeys } from './form-keys.ts'
import type { Schema } from './form-state.ts'
import { leaveTo } from '#web/kit/navigation/go.ts'
import { useLeaveGuard } from './leave-guard.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { OvertakenNotice } from './overtaken-notice.tsx'
import type { ResourceFormState } from './use-resource.ts'
import styles from './resource-form.module.css'

export interface ResourceFormProps<S extends Schema, R> {
  form: ResourceFormState<S, R>
  /** Singular, for "The group has been created"; or the whole sentences, where they are said in several languages. */
  noun: Noun
  /** The address that Cancel goes to. */
  back: string
  /** After a save; often `go(to.groups())`. Without it, an update stays on the screen. */
  onDone?: (record: R) => void
  /** The label of the save button; default: Create or Update. */
  save?: string | undefined
  children: ReactNode
}

export type Noun = string | { created: string; updated: string; missing: string }

export const savedSentence = (noun: Noun, id: number | undefined) =>
  typeof noun === 'string'
    ? `The ${noun} has been ${id === undefined ? 'created' : 'updated'}`
    : noun[id === undefined ? 'created' : 'updated']

export function ResourceForm<S extends Schema, R>({
  form,
  noun,
  back,
  onDone,
  save,
  children,
}: ResourceFormProps<S, R>) {
  const element = useRef<HTMLFormElement>(null)
  useLeaveGuard(form)
  const submit = async () => {
    if (form.readOnly || form.stored()) return
    if (!(await form.save())) return
    notify.success(savedSentence(noun, form.id))
    const saved = form.saved()
    if (saved !== undefined) onDone?.(saved)
  }
  useFormKeys(element, { save: () => void submit(), leave: () => leaveTo(back) })
  if (form.state !== 'ready') return <NotReady form={form} noun={noun} back={back} />
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Refusals form={form} />
      {children}
      {!form.readOnly && (
        <FormButtons back={back} saving={form.saving} disabled={form.id !== undefined && !form.dirty}>
          {save ?? say(form.id === undefined ? 'create' : 'update')}
        </FormButtons>
      )}
    </form>
  )
}

export interface FormButtonsProps {
  /** The address that Cancel goes to. */
  back: string
  saving: boolean
  disabled?: boolean
  /** The label of the save button. */
  children: ReactNode
}

/** At the bottom of a screen's form, always visible. */
export const FormButtons = ({ back, saving, disabled = false, children }: FormButtonsProps) => (
  <div className={styles.buttons}>
    <Button onClick={() => leaveTo(back)}>{say('cancel')}</Button>
    <Button kind="primary" submit busy={saving} disabled={disabled}>
      {children}
    </Button>
  </div>
)

/** What others have changed meanwhile, and what else the last save was refused for, which the question about the former does not hide. */
export const Refusals = <S extends Schema, R>({ form }: { form: ResourceFormState<S, R> }) => (
  <>
    <OvertakenNotice form={form} />
    <General sentences={form.general.filter((sentence) => sentence !== form.overtaken?.sentence)} />
  </>
)

/** Refusals that belong to no field. */
export const General = ({ sentences }: { sentences: string[] }) =>
  sentences.length > 0 && (
    <div className={styles.general}>
      <Notice tone="error">{sentences.join(' ')}</Notice>
    </div>
  )

/** While the record loads, if it is gone, or if it could not be loaded. */
export function NotReady<S extends Schema, R>({
  form,
  noun,
  back,
}: {
  form: ResourceFormState<S, R>
  noun: Noun
  back: string
}) {
  if (form.state === 'missing')
    return (
      <EmptyState
        icon="search"
        title={typeof noun === 'string' ? `This ${noun} could not be found` : noun.missing}
        action={<Button onClick={() => leaveTo(back)}>{say('go-back')}</Button>}
      >
        {say('perhaps-deleted')}
      </EmptyState>
    )
  if (form.state === 'failed') return <LoadFailed error={form.error} again={form.reload} />
  return (
    <div className={styles.skeleton} role="status" aria-busy="true" aria-label={say('loading')}>
      {[0, 1, 2, 3].map((line) => (
        <div key={line}>
          <Skeleton width={96} />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  )
}

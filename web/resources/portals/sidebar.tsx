// Portal sidebar: the form of a portal next to its preview: all of its settings, and which required ones are missing.
import { useRef, useState } from 'react'
import { keysOf } from '#contract/keys.ts'
import { messages } from '#contract/messages.ts'
import type { Output } from '#contract/endpoint.ts'
import { PortalInput, type get } from '#contract/portals.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { useFormKeys } from '#web/kit/form/form-keys.ts'
import { FormButtons, NotReady, Refusals, savedSentence } from '#web/kit/form/resource-form.tsx'
import type { ResourceFormState } from '#web/kit/form/use-resource.ts'
import { leaveTo } from '#web/kit/navigation/go.ts'
import { Notice } from '#web/ui/state.tsx'
import { PortalFields } from './fields.tsx'
import type { PortalField, PortalSchema } from './rules.ts'
import { useExistsNotice } from './use-exists-notice.ts'
import styles from './sidebar.module.css'

export type PortalForm = ResourceFormState<PortalSchema, Output<typeof get>>

interface SidebarProps {
  form: PortalForm
  /** Where Cancel and a successful save lead. */
  back: string
}

const fields = keysOf(PortalInput.shape)

export function PortalSidebar({ form, back }: SidebarProps) {
  const element = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const [refused, setRefused] = useState(false)
  const missing = fields.filter(form.wrong)
  const save = async () => {
    if (form.readOnly || form.stored()) return
    if (missing.length > 0) {
      for (const name of missing) form.touch(name)
      setRefused(true)
      // After the notice is rendered.
      requestAnimationFrame(() => {
        element.current?.parentElement?.scrollTo({ top: 0 })
        window.scrollTo({ top: 0 })
        notice.current?.focus()
      })
      return
    }
    if (!(await form.save())) return
    notify.success(savedSentence('portal', form.id))
    leaveTo(back)
  }
  useExistsNotice([form.errorOf('name'), form.errorOf('slug')])
  useFormKeys(element, { save: () => void save(), leave: () => leaveTo(back) })
  if (form.state !== 'ready') return <NotReady form={form} noun="portal" back={back} />
  const show = (name: PortalField) => {
    const at = element.current?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`)
    const fold = at?.closest('details')
    if (fold) fold.open = true
    const control = at?.matches('input, textarea')
      ? at
      : (at?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? at?.querySelector<HTMLElement>('input, button'))
    const shown = fold ? control : at
    shown?.scrollIntoView({ block: 'center' })
    control?.focus()
  }
  return (
    <form
      ref={element}
      noValidate
      aria-label="Portal"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {refused && missing.length > 0 && (
        <div ref={notice} tabIndex={-1} className={styles.notice}>
          <Notice tone="error">
            {messages.portal.fillRequired}
            <ul>
              {missing.map((name) => (
                <li key={name}>
                  <button type="button" onClick={() => show(name)}>
                    {form.labelOf(name)}
                  </button>
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      <Refusals form={form} />
      <PortalFields form={form} isNew={form.id === undefined} />
      {!form.readOnly && (
        <FormButtons back={back} saving={form.saving} disabled={form.id !== undefined && !form.dirty}>
          {form.id === undefined ? messages.portal.create : messages.portal.update}
        </FormButtons>
      )}
    </form>
  )
}

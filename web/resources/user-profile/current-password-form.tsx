// Current password form: a form for changes of the user's sign-in, which also asks for the current password.
import type { ReactNode } from 'react'
import { PasswordField } from '#web/kit/form/field.tsx'
import type { Schema } from '#web/kit/form/form-state.ts'
import { General } from '#web/kit/form/resource-form.tsx'
import type { Form, NameIn } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './security.module.css'

interface ProvenFormProps<S extends Schema> {
  form: Form<S>
  /** The field for the current password. */
  password: NameIn<S>
  /** The consequences. */
  lead?: string
  /** Further fields. */
  children?: ReactNode
  button: string
  danger?: boolean
}

export const CurrentPasswordForm = <S extends Schema>({
  form,
  password,
  lead,
  children,
  button,
  danger = false,
}: ProvenFormProps<S>) => (
  <form {...form.bind} className={styles.form}>
    {lead && <p className={styles.lead}>{lead}</p>}
    <General sentences={form.general} />
    <PasswordField form={form} name={password} label="Present password" autoComplete="current-password" first />
    {children}
    <Button kind={danger ? 'danger' : 'primary'} submit wide busy={form.saving}>
      {button}
    </Button>
  </form>
)

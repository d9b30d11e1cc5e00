// Guest password: the desk reads it out or writes it down, so it can be shown, and is generated in a form that is easy to type.
import type { AccountInput } from '#contract/accounts.ts'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { easyPassword } from '#web/kit/made/easy-password.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { ShownPassword } from '#web/ui/shown-password.tsx'

/** `ana-silva-427`: the name without accents, and a number, as usernames are unique within a property. */
export function easyUsername(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const [number = 0] = crypto.getRandomValues(new Uint16Array(1))
  return `${plain.slice(0, 60) || 'guest'}-${100 + (number % 900)}`
}

export function GuestPassword({ form }: { form: Form<typeof AccountInput> }) {
  const { value, set, control, readOnly } = useField(form, 'password')
  if (readOnly) return <FieldFact label="Password">Editors can see it</FieldFact>
  return (
    <ShownPassword
      {...control}
      label="Password"
      hint="Editors can see it."
      value={typeof value === 'string' ? value : ''}
      onChange={set}
      make={easyPassword}
    />
  )
}

// Guest password: read out or written down at the desk, so it can be shown, and made up in a shape that people can type.
import type { AccountInput } from '#contract/accounts.ts'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { ShownPassword } from '#web/ui/shown-password.tsx'

/** Small letters and digits without look-alikes. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 8

/** `k7mp-4xqe`: about 39 bits, drawn evenly. */
export function easyPassword(): string {
  const symbols: string[] = []
  // Bytes above the last whole multiple of the alphabet would favour its first letters.
  const even_max = 256 - (256 % alphabet.length)
  while (symbols.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(16)))
      if (byte < even_max && symbols.length < length) symbols.push(alphabet[byte % alphabet.length] ?? '')
  return `${symbols.slice(0, 4).join('')}-${symbols.slice(4).join('')}`
}

/** `ana-silva-427`: the name without accents, and a number, since usernames are one of a kind within their property. */
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

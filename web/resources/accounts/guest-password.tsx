// Guest password: read out or written down at the desk, so it can be shown, and made up in a shape that people can type.
import { useEffect } from 'react'
import type { AccountInput } from '#contract/accounts.ts'
import type { Form } from '#web/kit/form/use-form.ts'
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

export function GuestPassword({ form }: { form: Form<typeof AccountInput> }) {
  const { register } = form
  // `register` only touches a ref; it is the same in effect on every draw.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => register('password'), [])
  const value = form.values['password']
  return (
    <ShownPassword
      label="Password"
      name="password"
      hint={form.readOnly ? 'Editors can see it.' : 'Editors can look it up again.'}
      value={typeof value === 'string' ? value : ''}
      onChange={(next) => form.set('password', next)}
      onBlur={() => form.touch('password')}
      error={form.errorOf('password')}
      readOnly={form.readOnly}
      make={easyPassword}
    />
  )
}

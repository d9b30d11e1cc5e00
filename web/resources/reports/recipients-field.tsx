// Recipients field: the addresses that a report is mailed to, one per line or separated by commas.
import { useState } from 'react'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { ReportSchema } from './rules.ts'

const addressesIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean)
const isSame = (some: string[], others: string[]) => some.join() === others.join()

export function RecipientsField({ form, hint }: { form: Form<ReportSchema>; hint: string }) {
  const { value, set, control, readOnly } = useField(form, 'recipients')
  const addresses = Array.isArray(value) ? value.map(String) : []
  // Keeps the text as typed, with its commas: reformatting on blur would move the button that is being pressed.
  const [typed, setTyped] = useState('')
  if (readOnly) return <FieldFact label="Recipients">{addresses.join(', ')}</FieldFact>
  return (
    <TextArea
      {...control}
      label="Recipients"
      hint={hint}
      value={isSame(addressesIn(typed), addresses) ? typed : addresses.join('\n')}
      onChange={(text) => {
        setTyped(text)
        set(addressesIn(text))
      }}
    />
  )
}

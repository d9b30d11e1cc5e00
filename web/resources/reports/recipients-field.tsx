// Recipients field: the addresses that a report is mailed to, one a line or apart by commas.
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
  // What is typed stays as it is typed, commas and all: put in order, it would push away the button that is being pressed.
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

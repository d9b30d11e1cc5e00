// Property review: the wizard's last step: what was filled in, with names instead of ids, and in a line what was not.
import type { ReactNode } from 'react'
import { fieldsIn } from '#contract/fields.ts'
import { fields } from '#contract/properties.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { isEmpty } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import type { PropertyField, PropertySchema } from './rules.ts'
import { useTimeZone } from './time-zone.tsx'

/** The sections of the wizard. */
const parts = [
  ['property', 'Property'],
  ['address', 'Address'],
  ['wifi', 'Guest Wi-Fi'],
  ['billing', 'Billing'],
] as const
type Part = (typeof parts)[number][0]

export function Review({ form: { values } }: { form: Form<PropertySchema> }) {
  const zone = useTimeZone(values)
  const facts = { fields, of: values, filledOnly: true }
  const isFilled = (name: string) => {
    const value = values[name as PropertyField]
    return !(isEmpty(value as ReactNode) || value === 0 || (Array.isArray(value) && value.length === 0))
  }
  const has = (section: Part) => fieldsIn(fields, section).some(isFilled)
  const left = parts.filter(([section]) => !has(section)).map(([, title]) => title)
  const left_out: Record<string, null> = {
    collection_ids: null,
    ...(appContext() !== 'customer' && { group_id: null }),
  }
  return (
    <>
      {has('property') && (
        <Section title="Property">
          <FieldFacts {...facts} sections={['property']} own={left_out} />
        </Section>
      )}
      {has('address') && (
        <Section title="Address">
          <FieldFacts {...facts} sections={['address']} own={{ time_zone: [zone] }} />
        </Section>
      )}
      {has('wifi') && (
        <Section title="Guest Wi-Fi">
          <FieldFacts
            {...facts}
            sections={['wifi']}
            own={values['max_accounts'] === 0 ? { max_accounts: ['No limit'] } : {}}
          />
        </Section>
      )}
      {has('billing') && (
        <Section title="Billing">
          <FieldFacts
            {...facts}
            sections={['billing']}
            own={{ currency: [values['currency'] as string | undefined, 'That of the country'] }}
          />
        </Section>
      )}
      {left.length > 0 && <Section title="Left for later">{left.join(', ')}</Section>}
    </>
  )
}

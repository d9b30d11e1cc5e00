// Property review: the wizard's last step: what was filled in, with names instead of ids, and in a line what was not.
import * as accounting from '#contract/accounting-integrations.ts'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { fieldsIn } from '#contract/fields.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import { fields } from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { useNames } from '#web/kit/call/names.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { isEmpty } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import type { PropertyField, PropertySchema } from './rules.ts'
import { useTimeZone } from './time-zone.tsx'

const Named = ({ from, id }: { from: Endpoint; id: unknown }) =>
  useNames(from).find((row) => row.id === id)?.name ?? null

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
  const named = (name: PropertyField, from: Endpoint) =>
    [values[name] ? <Named key={name} from={from} id={values[name]} /> : ''] as const
  const facts = { fields, of: values, filledOnly: true }
  const isFilled = (name: string) => {
    const value = values[name as PropertyField]
    return !(isEmpty(value as ReactNode) || value === 0 || (Array.isArray(value) && value.length === 0))
  }
  const has = (section: Part) => fieldsIn(fields, section).some(isFilled)
  const left = parts.filter(([section]) => !has(section)).map(([, title]) => title)
  const customersOnly = appContext() === 'customer' ? {} : { group_id: null }
  return (
    <>
      {has('property') && (
        <Section title="Property">
          <FieldFacts
            {...facts}
            sections={['property']}
            own={{
              property_type_id: named('property_type_id', reference.propertyTypes),
              group_id: named('group_id', groups.names),
              collection_ids: null,
              ...customersOnly,
            }}
          />
        </Section>
      )}
      {has('address') && (
        <Section title="Address">
          <FieldFacts
            {...facts}
            sections={['address']}
            own={{ country_id: named('country_id', reference.countries), time_zone: [zone] }}
          />
        </Section>
      )}
      {has('wifi') && (
        <Section title="Guest Wi-Fi">
          <FieldFacts
            {...facts}
            sections={['wifi']}
            own={{
              connectivity_type_id: named('connectivity_type_id', reference.connectivityTypes),
              portal_id: named('portal_id', portals.names),
              package_id: named('package_id', packages.names),
              ...(values['max_accounts'] === 0 ? { max_accounts: ['No limit'] as const } : {}),
            }}
          />
        </Section>
      )}
      {has('billing') && (
        <Section title="Billing">
          <FieldFacts
            {...facts}
            sections={['billing']}
            own={{
              currency: [values['currency'] as string | undefined, 'That of the country'],
              accounting_contact_id: named('accounting_contact_id', accounting.names),
            }}
          />
        </Section>
      )}
      {left.length > 0 && <Section title="Left for later">{left.join(', ')}</Section>}
    </>
  )
}

// Property review: the wizard's last step: everything that was filled in, with names instead of ids.
import * as accounting from '#contract/accounting-integrations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import { fields } from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { useNames } from '#web/kit/call/names.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { Section } from '#web/ui/page.tsx'
import type { PropertyField, PropertySchema } from './rules.ts'
import { useTimeZone } from './time-zone.tsx'

const Named = ({ from, id }: { from: Endpoint; id: unknown }) =>
  useNames(from).find((row) => row.id === id)?.name ?? null

export function Review({ form: { values } }: { form: Form<PropertySchema> }) {
  const zone = useTimeZone(values)
  const named = (name: PropertyField, from: Endpoint) =>
    [values[name] ? <Named key={name} from={from} id={values[name]} /> : ''] as const
  const facts = { fields, of: values }
  const customersOnly = appContext() === 'customer' ? {} : { group_id: null }
  return (
    <>
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
      <Section title="Address">
        <FieldFacts
          {...facts}
          sections={['address']}
          own={{ country_id: named('country_id', reference.countries), time_zone: [zone] }}
        />
      </Section>
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
    </>
  )
}

// Property review: the wizard's last step: everything as it was filled in, with names instead of numbers.
import type { Endpoint } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import { useNames } from '#web/kit/call/names.ts'
import { moneyOf } from '#web/kit/display/numbers.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { Facts, type Fact } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import type { PropertySchema } from './rules.ts'
import { signInSentFact } from './sign-in-sent.ts'
import { useTimeZone } from './time-zone.tsx'

const Named = ({ from, id }: { from: Endpoint; id: unknown }) =>
  useNames(from).find((row) => row.id === id)?.name ?? null

export function Review({ form: { values } }: { form: Form<PropertySchema> }) {
  const zone = useTimeZone(values)
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const named = (name: string, from: Endpoint) => (values[name] ? <Named from={from} id={values[name]} /> : '')
  const percent = (name: string) => `${text(name)}%`
  return (
    <>
      <FactsSection
        title="Property"
        facts={[
          ['Name', text('name')],
          ['Type', named('property_type_id', reference.propertyTypes)],
          ['Reference', text('external_reference')],
          ...(appContext() === 'customer' ? [['Group', named('group_id', groups.names)] as const] : []),
          ['Contact e-mail', text('email')],
        ]}
      />
      <FactsSection
        title="Address"
        facts={[
          ['Street and number', text('address')],
          ['City', [text('postal_code'), text('city')].filter(Boolean).join(' ')],
          ['Country', named('country_id', reference.countries)],
          ['Time zone', zone],
        ]}
      />
      <FactsSection
        title="Guest Wi-Fi"
        facts={[
          ['Connectivity', named('connectivity_type_id', reference.connectivityTypes)],
          ['Network name', text('network_name')],
          ['Portal', named('portal_id', portals.names)],
          ['Package', named('package_id', packages.names)],
          ['Accounts at most', values['max_accounts'] === 0 ? 'No limit' : text('max_accounts')],
          signInSentFact(values),
        ]}
      />
      <FactsSection
        title="Billing"
        facts={[
          ['Units', text('total_units')],
          ['Rate per unit', typeof values['rate_per_unit'] === 'number' ? moneyOf(values['rate_per_unit']) : ''],
          ['Currency', text('currency'), 'That of the country'],
          ['Billed at least', percent('minimum_billable_percentage')],
          ['On holidays', percent('holiday_billable_percentage')],
        ]}
      />
    </>
  )
}

const FactsSection = ({ title, facts }: { title: string; facts: readonly Fact[] }) => (
  <Section title={title}>
    <Facts facts={facts} />
  </Section>
)

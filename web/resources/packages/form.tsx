// Package form: what a guest gets, with a line that summarises the numbers.
import { PackageChange, recurrences } from '#contract/packages.ts'
import * as packages from '#contract/packages.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { leaveTo } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'
import { ApplyField } from './apply-field.tsx'
import { AmountField, times, volumes } from './amount-field.tsx'
import { renewals, summaryOf } from './summary.ts'
import styles from './packages.module.css'

const renewalOptions = recurrences.map((value) => ({ value, label: renewals[value] }))

export function PackageForm({ id }: { id?: number }) {
  const form = useResource(packages, PackageChange, id)
  return (
    <ResourceForm
      form={form}
      noun="package"
      back={to.packages()}
      onDone={() => id === undefined && leaveTo(to.packages())}
    >
      <FieldSection
        form={form}
        fields={packages.fields}
        section="package"
        title="Package"
        hint="Guests see the name where they choose."
        own={{ name: <Field form={form} name="name" first={id === undefined} /> }}
      >
        <Summary form={form} />
      </FieldSection>
      <FieldSection
        form={form}
        fields={packages.fields}
        section="allowance"
        title="Allowance"
        hint="How much a guest may use, and when the allowance starts again, at midnight of the property."
        own={{
          volume_gb: <AmountField form={form} name="volume_gb" units={volumes} digits={6} />,
          recurs: <ChoiceField form={form} name="recurs" options={renewalOptions} />,
        }}
      />
      <FieldSection
        form={form}
        fields={packages.fields}
        section="speed"
        title="Speed and devices"
        rows={[['speed_mbps', 'max_users']]}
        own={{
          speed_mbps: <Field form={form} name="speed_mbps" unit="Mbit/s" zero="No limit" />,
          max_users: <Field form={form} name="max_users" zero="No limit" />,
        }}
      />
      <FieldSection
        form={form}
        fields={packages.fields}
        section="time"
        title="Time"
        hint="A guest who is idle for longer has to sign in again."
        own={{
          session_time_hrs: <AmountField form={form} name="session_time_hrs" units={times} digits={4} />,
          idle_timeout_hrs: <AmountField form={form} name="idle_timeout_hrs" units={times} digits={4} />,
        }}
      />
      <FieldSection
        form={form}
        fields={packages.fields}
        section="guests"
        title="Guests"
        own={{
          refused_in_dispute: (
            <SwitchField
              form={form}
              name="refused_in_dispute"
              hint="As the property’s system says, if its interface checks for that. Rooms that it bars cannot have it either."
            />
          ),
        }}
      />
      {form.record && <ApplyField form={form} record={form.record} />}
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'It can be chosen for properties, accounts and vouchers.',
            disabled: 'It is no longer offered, and its vouchers are refused.',
          }}
        />
      </Section>
    </ResourceForm>
  )
}

/** Updates while one types; shows nothing while a field is invalid, as that field shows the error. */
function Summary({ form }: { form: Form<typeof PackageChange> }) {
  const read = PackageChange.omit({ name: true }).safeParse(form.values)
  return (
    <p className={styles.summary} aria-live="polite">
      What a guest gets
      <strong>{read.success ? summaryOf(read.data) : '…'}</strong>
    </p>
  )
}

export const NewPackage = () => (
  <>
    <PageHeader title="New package" above={<Link href={to.packages()}>Packages</Link>} />
    <Permitted to={packages.create} back={to.packages()}>
      <PackageForm />
    </Permitted>
  </>
)

// Property fields: the sections that the wizard shows one by one and the details all together.
import { useEffect } from 'react'
import * as accounting from '#contract/accounting-integrations.ts'
import * as collections from '#contract/collections.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import { Field, MoneyField } from '#web/kit/form/field.tsx'
import { Lookup, LookupMany } from '#web/kit/form/lookup.tsx'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { may } from '#web/session/may.ts'
import { Row, Section } from '#web/ui/page.tsx'
import type { PropertyField, PropertySchema } from './rules.ts'
import { CurrencyField } from './currency.tsx'
import { TimeZoneField, useCountryHere } from './time-zone.tsx'

/** Which fields stand in which section below: a wizard's step is left only when its own are right. */
export const stepFields = {
  property: ['name', 'external_reference', 'property_type_id', 'group_id', 'collection_ids', 'email'],
  address: ['address', 'city', 'postal_code', 'country_id', 'time_zone'],
  wifi: ['connectivity_type_id', 'portal_id', 'package_id', 'network_name', 'max_accounts', 'send_email', 'send_sms'],
  billing: [
    'total_units',
    'rate_per_unit',
    'currency',
    'minimum_billable_percentage',
    'holiday_billable_percentage',
    'accounting_contact_id',
  ],
} as const satisfies Record<string, readonly PropertyField[]>

interface Fields {
  form: Form<PropertySchema>
  first?: boolean
}

export const PropertyFields = ({ form, first = false }: Fields) => (
  <Section
    title="Property"
    hint="The name is what your team searches for. The reference is yours: a code from another system."
  >
    <Field form={form} name="name" label="Name" first={first} />
    <Row>
      <Lookup form={form} name="property_type_id" label="Type" from={reference.propertyTypes} />
      <Field form={form} name="external_reference" label="Reference" />
    </Row>
    {/* People of a group make properties in their own group, and nowhere else. */}
    {appContext() === 'customer' && (
      <Lookup
        form={form}
        name="group_id"
        label="Group"
        from={groups.names}
        create={to.newGroup()}
        hint="Properties that are run together. It can stand alone, too."
      />
    )}
    {may('collections', 'read') && (
      <LookupMany
        form={form}
        name="collection_ids"
        label="Collections"
        from={collections.names}
        hint="Sets of properties that you want together. A group’s collection takes its own properties only."
      />
    )}
    <Field form={form} name="email" label="Contact e-mail" type="email" hint="Who to write to at the property." />
  </Section>
)

export const AddressFields = ({ form }: Fields) => (
  <Section title="Address" hint="The country brings its time zone, in which nights begin and allowances renew.">
    <Field form={form} name="address" label="Street and number" autoComplete="street-address" />
    <Row>
      <Field form={form} name="postal_code" label="Postal code" autoComplete="postal-code" />
      <Field form={form} name="city" label="City" autoComplete="address-level2" />
    </Row>
    <Row>
      <Lookup
        form={form}
        name="country_id"
        label="Country"
        from={reference.countries}
        onPick={() => form.set('time_zone', null)}
      />
      <TimeZoneField form={form} />
    </Row>
  </Section>
)

/** What is switched off is not offered; what is chosen already stays. */
const usable = (row: Name) => row.status !== 'disabled'

/** Of a new property: the only portal, the package that is there the longest, which most operators begin with, and the country here. */
export function usePresets(form: Fields['form']) {
  const country = useCountryHere()
  const portal = only(useNames(portals.names).filter(usable))
  const [pack] = useNames(packages.names)
    .filter(usable)
    .toSorted((one, other) => one.id - other.id)
  const isNew = !('id' in form) || form.id === undefined
  const wanted = { portal_id: portal?.id, package_id: pack?.id, country_id: country?.id }
  const named = JSON.stringify(isNew ? wanted : {})
  useEffect(() => {
    for (const name of ['portal_id', 'package_id', 'country_id'] as const) {
      const id = (JSON.parse(named) as Partial<typeof wanted>)[name]
      if (id !== undefined && form.values[name] === undefined) form.preset(name, id)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a field that was emptied by hand stays empty
  }, [named])
}
const only = <T,>(some: T[]): T | undefined => (some.length === 1 ? some[0] : undefined)

export const WifiFields = ({ form }: Fields) => (
  <Section
    title="Guest Wi-Fi"
    hint="What guests meet when they connect, and what they get when nothing else is agreed."
  >
    <Lookup form={form} name="connectivity_type_id" label="Connectivity" from={reference.connectivityTypes} />
    <Row>
      <Lookup
        form={form}
        name="portal_id"
        label="Portal"
        from={portals.names}
        only={usable}
        hint="The page guests sign in on."
      />
      <Lookup
        form={form}
        name="package_id"
        label="Package"
        from={packages.names}
        only={usable}
        hint="Unless an account has its own."
      />
    </Row>
    <Row>
      <Field form={form} name="network_name" label="Network name" hint="As devices list it. Guests read it." />
      <Field form={form} name="max_accounts" label="Accounts at most" zero="No limit" />
    </Row>
    <SwitchField form={form} name="send_email" label="E-mail new accounts" hint="Guests get their sign-in by e-mail." />
    <SwitchField form={form} name="send_sms" label="Text new accounts" hint="Guests get their sign-in by SMS." />
  </Section>
)

export const BillingFields = ({ form }: Fields) => (
  <Section title="Billing" hint="At least this part of the units is billed each day, however many are occupied.">
    <Row>
      <Field form={form} name="total_units" label="Units" hint="Rooms, flats or pitches." />
      <MoneyField form={form} name="rate_per_unit" label="Rate per unit" hint="Of a calendar month." />
      <CurrencyField form={form} />
    </Row>
    <Row>
      <Field form={form} name="minimum_billable_percentage" label="Billed at least" unit="%" />
      <Field form={form} name="holiday_billable_percentage" label="On holidays" unit="%" />
    </Row>
    <Lookup
      form={form}
      name="accounting_contact_id"
      label="Accounting contact"
      from={accounting.names}
      sort="-created_at"
      only={usable}
      placeholder="Nobody yet"
      hint="Who its bills are drafted for. Contacts come from the accounting system that is connected."
    />
  </Section>
)

export const MriFields = ({ form }: Fields) => (
  <Section title="MRI" hint="For properties that are managed in MRI.">
    <SwitchField form={form} name="mri_enabled" label="Connected to MRI" />
    {form.values['mri_enabled'] === true && (
      <>
        <SwitchField form={form} name="sync_rooms_and_devices" label="Take over rooms and devices" />
        <SwitchField form={form} name="mri_communication" label="Let MRI write to residents" />
      </>
    )}
  </Section>
)

export const StatusFields = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'Guests can get online.',
        disabled: 'Nobody can get online here. Everything is kept.',
        draft: 'Still being set up. Guests cannot get online yet, and less has to be filled in.',
      }}
    />
  </Section>
)

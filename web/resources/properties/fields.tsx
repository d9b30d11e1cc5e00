// Property fields: the sections, which the wizard shows one by one and the details all together.
import { useEffect } from 'react'
import { fields } from '#contract/properties.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useCountryHere, usePropertyPresets } from '#web/limits/property-presets.ts'
import { Unkept } from '#web/limits/unkept.tsx'
import { appContext } from '#web/session/context.ts'
import { may } from '#web/session/may.ts'
import { Section } from '#web/ui/page.tsx'
import type { PropertySchema } from './rules.ts'
import { CurrencyField } from './currency.tsx'
import { TimeZoneField } from './time-zone.tsx'

interface Fields {
  form: Form<PropertySchema>
  first?: boolean
}

export const PropertyFields = ({ form, first = false }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="property"
    title="Property"
    hint="Your team searches for the name. The reference is for a code from another system."
    rows={[['name'], ['property_type_id', 'external_reference'], ['group_id'], ['collection_ids'], ['email']]}
    hints={{
      group_id: 'Properties that are run together. A property need not be in one.',
      collection_ids:
        'Sets of properties that you want to see together. A group’s collection can only hold its own properties.',
    }}
    own={{
      name: <Field form={form} name="name" first={first} />,
      // Users of a group can only create properties in their own group.
      ...(appContext() === 'customer' ? {} : { group_id: null }),
      ...(may('collections', 'read') ? {} : { collection_ids: null }),
      email: <Field form={form} name="email" type="email" hint="Who to write to at the property." />,
    }}
  />
)

export const AddressFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="address"
    title="Address"
    hint="The country sets the time zone in which nights begin and allowances renew."
    rows={[['address'], ['postal_code', 'city'], ['country_id', 'time_zone']]}
    own={{
      address: <Field form={form} name="address" autoComplete="street-address" />,
      postal_code: <Field form={form} name="postal_code" autoComplete="postal-code" />,
      city: <Field form={form} name="city" autoComplete="address-level2" />,
      country_id: <Lookup form={form} name="country_id" onPick={() => form.set('time_zone', null)} />,
      time_zone: <TimeZoneField form={form} />,
    }}
  />
)

/** The property itself, if it is there. */
const hereIn = (form: Fields['form']) =>
  'id' in form && form.id !== undefined ? { property_ids: [Number(form.id)] } : null

/** For a new property: the portal if there is only one, the oldest package, and the browser's country. */
export function usePresets(form: Fields['form']) {
  const presets: { portal_id?: number; package_id?: number } = usePropertyPresets()
  const country = useCountryHere()
  const isNew = !('id' in form) || form.id === undefined
  const wanted = { ...presets, country_id: country?.id }
  const named = JSON.stringify(isNew ? wanted : {})
  useEffect(() => {
    for (const name of ['portal_id', 'package_id', 'country_id'] as const) {
      const id = (JSON.parse(named) as Partial<typeof wanted>)[name]
      if (id !== undefined && form.values[name] === undefined) form.preset(name, id)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a field that was emptied by hand stays empty
  }, [named])
}

export const WifiFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="wifi"
    title="Guest Wi-Fi"
    hint="What guests see when they connect, and what they get unless they have something else."
    rows={[['connectivity_type_id'], ['portal_id', 'package_id'], ['network_name', 'max_accounts']]}
    hints={{
      portal_id: 'The page guests sign in on. Without one, its group’s.',
      package_id: 'Unless an account has a package of its own.',
      network_name: 'As devices list it. It is shown to guests.',
      send_email: 'Guests get their sign-in by e-mail.',
      send_sms: 'Guests get their sign-in by SMS.',
    }}
    own={{ max_accounts: <Field form={form} name="max_accounts" zero="No limit" /> }}
  >
    <Unkept package_id={form.values['package_id']} where={hereIn(form)} />
  </FieldSection>
)

export const BillingFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="billing"
    title="Billing"
    hint="At least this share of the units is billed each day, even if fewer are occupied."
    rows={[
      ['total_units', 'rate_per_unit', 'currency'],
      ['minimum_billable_percentage', 'holiday_billable_percentage'],
    ]}
    hints={{
      total_units: 'Rooms, flats or pitches.',
      rate_per_unit: 'Per calendar month.',
      minimum_billable_percentage: 'Of the units each night, even if fewer are occupied.',
      holiday_billable_percentage: 'Instead, on the property’s holidays.',
      accounting_contact_id: 'Who its bills are drafted for. Contacts come from the connected accounting system.',
    }}
    own={{ currency: <CurrencyField form={form} /> }}
  />
)

/** The settings of the connection are only shown if it is enabled. */
export const MriFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="mri"
    title="MRI"
    hint="For properties that are managed in MRI."
    hints={{
      mri_communication:
        'New residents in MRI are told how to sign in by mail, and by text message if this property sends them.',
    }}
    own={form.values['mri_enabled'] === true ? {} : { sync_rooms_and_devices: null, mri_communication: null }}
  />
)

export const StatusFields = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'Guests can get online.',
        disabled: 'Nobody can get online here. Everything is kept.',
        draft: 'Still being set up. Guests cannot get online yet, and fewer fields are required.',
      }}
    />
  </Section>
)

// Device form: for a new device and for an existing one. Only rooms of its property can be chosen.
import * as accounting from '#contract/accounting-integrations.ts'
import * as devices from '#contract/devices.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { isRandomised, macAddress } from '#contract/mac-address.ts'
import * as macCategories from '#contract/mac-categories.ts'
import { useNames } from '#web/kit/call/names.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { usePlace, type Place } from '#web/kit/form/place.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { Unkept, whereIn } from '#web/limits/unkept.tsx'
import { WhenOff } from '#web/limits/when-off.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Section } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'

export function DeviceForm({ id, preset = {}, back }: { id?: number; preset?: Place; back: string }) {
  const place = usePlace(preset, id)
  const form = useResource(devices, devices.DeviceInput, id, place.preset)
  // Only the customer's users may list contacts; others see the one that is chosen.
  const mayRead = useMayCall(accounting.names)
  const mayChooseContact = mayRead || typeof form.values['accounting_contact_id'] === 'number'
  return (
    <ResourceForm
      form={form}
      noun="device"
      back={back}
      onDone={(device) => id === undefined && go(to.device(device.id), { replace: true })}
    >
      <FieldSection
        form={form}
        fields={devices.fields}
        section="device"
        title="Device"
        hint="What it is, and the address by which the network knows it, in any notation."
        rows={[
          ['name', 'mac_address'],
          ['mac_category_id', 'external_reference'],
        ]}
        own={{
          name: <Field form={form} name="name" first={id === undefined} autoComplete="off" />,
          mac_address: <Field form={form} name="mac_address" autoComplete="off" placeholder="00:00:5e:00:53:01" />,
          external_reference: <Field form={form} name="external_reference" placeholder="Your own number for it" />,
        }}
      />
      <Blocking form={form} />
      <Randomised form={form} />
      <FieldSection
        form={form}
        fields={devices.fields}
        section="place"
        title="Place"
        hint="Where it goes online."
        rows={[['property_id', 'room_id']]}
        own={{
          property_id: place.isAsked && (
            <Lookup form={place.isFixed ? { ...form, readOnly: true } : form} name="property_id" />
          ),
        }}
      />
      <FieldSection
        form={form}
        fields={devices.fields}
        section="service"
        title="Service"
        hint="What it gets."
        own={mayChooseContact ? {} : { accounting_contact_id: null }}
        hints={{ accounting_contact_id: 'Kept for your records: bills go by the contact of the property.' }}
      >
        <Unkept package_id={form.values['package_id']} where={whereIn(form.values)} />
      </FieldSection>
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'It goes online without a login page.',
            disabled: 'It can no longer get online by its address. Nothing is deleted.',
          }}
        />
      </Section>
    </ResourceForm>
  )
}

export const randomisedText =
  'The device made this address up for one network, and may take another at any time. Turn its private Wi-Fi address ' +
  'off in its settings, and register the address that it shows then.'

/** Warns while the address is typed, as such a device will sooner or later appear under another one. */
/** A category whose devices are refused is a block: who is online by it is off at once, or later. */
function Blocking({ form }: { form: Form<typeof devices.DeviceInput> }) {
  const chosen = Number(form.values['mac_category_id'])
  const category = useNames<RowOf<typeof macCategories.list>>(macCategories.names).find(({ id }) => id === chosen)
  if (!category?.blocks) return null
  return (
    <Notice>
      <p>
        Devices of the category “{category.name}” are refused, however they sign in. One that is online is taken
        offline.
      </p>
      <WhenOff where={whereIn(form.values) ?? {}} />
    </Notice>
  )
}

function Randomised({ form }: { form: Form<typeof devices.DeviceInput> }) {
  const typed = macAddress.safeParse(form.values['mac_address'])
  if (form.readOnly || !typed.success || !isRandomised(typed.data)) return null
  return (
    <div role="status">
      <Notice>
        <strong>A randomised address.</strong> {randomisedText}
      </Notice>
    </div>
  )
}

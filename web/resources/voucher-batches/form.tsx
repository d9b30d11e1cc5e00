// Voucher form: a new batch of codes, for one property or a whole group; then a page to print them.
import { useState } from 'react'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import { ref } from '#contract/shapes.ts'
import * as batches from '#contract/voucher-batches.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { MomentField } from '#web/kit/form/moment-field.tsx'
import { useMomentsIn } from '#web/kit/form/moments-in.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { isKnownEmpty, useOffered } from '#web/kit/call/options.ts'
import { useNames } from '#web/kit/call/names.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { stricter } from '#web/kit/form/stricter.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Unkept, whereIn } from '#web/limits/unkept.tsx'
import { useZoneOf } from '#web/limits/zone-of.ts'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Made, type MadeBatch } from './made.tsx'
import { contract, LimitFields, Offered } from './offered.tsx'
import { keepPackage, usualPackage } from './usual-package.ts'

const { VoucherBatchInput } = batches
/** Users of a property can only make vouchers for it, which the server fills in. */
const schemas = {
  own: VoucherBatchInput,
  property: stricter(VoucherBatchInput, { property_id: ref('properties') }),
  group: stricter(VoucherBatchInput, { group_id: ref('groups') }),
}
type Place = 'property' | 'group'

/** From this quantity on it takes so long that a message is shown. */
const many = 5_000
const quantity_usual = 10

export interface NewVouchersProps {
  group_id?: number
  property_id?: number
}

export function NewVouchers(preset: NewVouchersProps) {
  const [made, setMade] = useState<MadeBatch>()
  const [turn, setTurn] = useState(0)
  return (
    <>
      <PageHeader
        title={made ? 'Vouchers' : 'New vouchers'}
        above={<Link href={to.vouchersOf(preset)}>Vouchers</Link>}
      />
      <Permitted to={batches.create} back={to.vouchersOf(preset)} icon="vouchers">
        {made ? (
          <Made
            batch={made}
            all={to.vouchersOf(preset)}
            onAnother={() => {
              setMade(undefined)
              setTurn(turn + 1)
            }}
          />
        ) : (
          <Form key={turn} preset={preset} onMade={setMade} />
        )}
      </Permitted>
    </>
  )
}

function Form({ preset, onMade }: { preset: NewVouchersProps; onMade: (batch: MadeBatch) => void }) {
  const context = appContext()
  const hasNoGroups = isKnownEmpty(useOffered(groups.names)) && context === 'customer'
  const [place, setPlace] = useState<Place>(preset.group_id && !preset.property_id ? 'group' : 'property')
  const usual = usualPackage(useNames(packages.names))
  const schema = context === 'property' || (context === 'group' && place === 'group') ? schemas.own : schemas[place]
  const form = useResource(contract, schema, undefined, {
    quantity: quantity_usual,
    ...(usual === undefined ? {} : { package_id: usual }),
    ...(preset.property_id ? { property_id: preset.property_id } : {}),
    ...(preset.group_id && !preset.property_id ? { group_id: preset.group_id } : {}),
  })
  const { values } = form
  const times = useMomentsIn(form, ['valid_from', 'expires_at'], useZoneOf(Number(values['property_id']) || undefined))
  const mayMakePackages = useMayCall(packages.create)
  const mayMakeProperties = useMayCall(properties.create)
  const move = (next: Place) => {
    setPlace(next)
    form.set(next === 'group' ? 'property_id' : 'group_id', null)
  }
  return (
    <ResourceForm
      form={form}
      noun="voucher batch"
      back={to.vouchersOf(preset)}
      onDone={(batch) => {
        keepPackage(batch.package_id)
        onMade(batch)
      }}
    >
      <FieldSection
        form={form}
        fields={batches.fields}
        section="vouchers"
        title="Vouchers"
        hint="Each code is good for one guest."
        rows={[['quantity', 'package_id']]}
        own={{
          quantity: <Field form={form} name="quantity" first hint={`At most ${wholeOf(batches.quantity_max)}.`} />,
          package_id: (
            <Lookup
              form={form}
              name="package_id"
              {...(mayMakePackages ? { create: to.newPackage() } : {})}
              hint="What the guest gets."
            />
          ),
          property_id: context !== 'property' && (
            <>
              {!hasNoGroups && <GoodIn place={place} onMove={move} />}
              {place === 'property' && (
                <Lookup form={form} name="property_id" {...(mayMakeProperties ? { create: to.newProperty() } : {})} />
              )}
            </>
          ),
          group_id: context === 'customer' && place === 'group' && <Lookup form={form} name="group_id" />,
        }}
      >
        <Unkept package_id={values['package_id']} where={whereIn(values)} />
      </FieldSection>
      <FieldSection
        form={form}
        fields={batches.fields}
        section="purpose"
        title="Purpose"
        hint="To find these vouchers again."
        own={{
          name: (
            <Field form={form} name="name" placeholder="Spring conference" hint="It is also printed on the slips." />
          ),
        }}
      />
      <LimitFields form={form} />
      <FieldSection
        form={form}
        fields={batches.fields}
        section="validity"
        title="Validity"
        hint="Without an end, a voucher's time runs from its first use."
        rows={[['valid_from', 'expires_at']]}
        own={{
          valid_from: <MomentField form={form} name="valid_from" {...times} />,
          expires_at: <MomentField form={form} name="expires_at" {...times} />,
          password: (
            <Field
              form={form}
              name="password"
              hint="Guests type it along with the code. Leave it empty for codes without a password."
            />
          ),
        }}
      />
      <Offered form={form} zone={times.zone} />
      {form.saving && Number(values['quantity']) >= many && (
        <p role="status">Making {wholeOf(Number(values['quantity']))} codes. This takes a few seconds…</p>
      )}
    </ResourceForm>
  )
}

function GoodIn({ place, onMove }: { place: Place; onMove: (next: Place) => void }) {
  const context = appContext()
  const { user } = useSession()
  return (
    <Segments
      label="Good in"
      options={[
        { value: 'property', label: 'One property' },
        {
          value: 'group',
          label: context === 'group' ? `All of ${user?.owner_name ?? 'the group'}` : 'A whole group',
        },
      ]}
      value={place}
      onChange={(next) => onMove(next === 'group' ? 'group' : 'property')}
    />
  )
}

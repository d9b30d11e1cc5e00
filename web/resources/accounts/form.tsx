// Account form: a new guest account, and one that exists. Its room is one of its property.
import { useEffect } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { Field } from '#web/kit/form/field.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { MomentField } from '#web/kit/form/moment-field.tsx'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { PageHeader, Row, Section } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { GuestPassword } from './guest-password.tsx'

export interface AccountScreenProps {
  /** Without an id, a new one. */
  id?: number
  property_id?: number
  room_id?: number
}

export const AccountScreen = ({ id, ...preset }: AccountScreenProps) =>
  id === undefined ? <NewAccount preset={preset} /> : <ExistingAccount id={id} />

function NewAccount({ preset }: { preset: Omit<AccountScreenProps, 'id'> }) {
  const back = to.accountsOf(preset.property_id)
  return (
    <>
      <PageHeader title="New account" above={<Link href={back}>Accounts</Link>} />
      <Permitted to={accounts.create} back={back} icon="accounts">
        <AccountForm preset={preset} back={back} />
      </Permitted>
    </>
  )
}

function ExistingAccount({ id }: { id: number }) {
  const account = useRecord(accounts, id)
  const back = to.accountsOf(account?.property_id)
  return (
    <>
      <PageHeader
        above={<Link href={back}>Accounts</Link>}
        title={account?.name ?? <Skeleton width={180} height={20} />}
        mark={account && <StatusBadge of={account.status} />}
        actions={
          <RecordActions
            of={accounts}
            record={account}
            noun="accounts"
            back={back}
            consequence="The guest can no longer sign in. This cannot be undone."
          />
        }
      />
      <AccountForm id={id} preset={{}} back={back} />
    </>
  )
}

function AccountForm({ id, preset, back }: { id?: number; preset: Omit<AccountScreenProps, 'id'>; back: string }) {
  const { user } = useSession()
  const own = appContext() === 'property' ? user?.owner_id : undefined
  const property_id = preset.property_id ?? own
  const form = useResource(accounts, accounts.AccountInput, id, {
    ...(property_id ? { property_id } : {}),
    ...(preset.room_id ? { room_id: preset.room_id } : {}),
  })
  const property = form.values['property_id']
  useRoomOf(form, property)
  const locked = property_id !== undefined || id !== undefined
  return (
    <ResourceForm form={form} noun="account" back={back} onDone={() => id === undefined && go(back)}>
      <Section title="Guest" hint="Who it is, and where they stay.">
        <Field form={form} name="name" label="Name" first={id === undefined} autoComplete="off" />
        <Row>
          {own === undefined && (
            <Lookup
              form={locked ? { ...form, readOnly: true } : form}
              name="property_id"
              label="Property"
              from={properties.names}
            />
          )}
          <Lookup
            // Another property is another choice.
            key={String(property)}
            form={typeof property === 'number' ? form : { ...form, readOnly: true }}
            name="room_id"
            label="Room"
            placeholder={typeof property === 'number' ? 'No room' : 'Choose a property first'}
            from={reference.roomNames}
            only={(room) => propertyOf(room) === property}
          />
        </Row>
        <Row>
          <Field form={form} name="email" label="E-mail" type="email" />
          <Field form={form} name="mobile_number" label="Mobile number" type="tel" placeholder="+44 20 7946 0000" />
        </Row>
      </Section>
      <Section title="Sign-in" hint="What the guest types at the portal.">
        <Row>
          <Field
            form={form}
            name="username"
            label="Username"
            autoComplete="off"
            hint="One of a kind within the property."
          />
          <GuestPassword form={form} />
        </Row>
      </Section>
      <Section title="Service" hint="What the guest gets, and for how long.">
        <Row>
          <Lookup
            form={form}
            name="package_id"
            label="Package"
            from={packages.names}
            placeholder="The property's package"
            only={(row) => row.status === 'active'}
          />
          <Lookup form={form} name="account_type_id" label="Type" from={reference.accountTypes} />
        </Row>
        <Row>
          <MomentField
            form={form}
            name="expires_at"
            label="Expires"
            hint="Leave it empty for an account without an end."
          />
        </Row>
      </Section>
      <Section title="State">
        <SwitchField form={form} name="active" label="Active" hint="The guest can sign in." />
        <SwitchField form={form} name="draft" label="Draft" hint="Still being set up. The guest cannot sign in yet." />
      </Section>
    </ResourceForm>
  )
}

/** The look-up's rows carry their property, which the kit does not know of. */
const propertyOf = (room: Name) => (room as Name & { property_id?: number }).property_id

/** A room of another property goes when the property is changed. */
function useRoomOf(
  form: { values: Record<string, unknown>; set: (name: 'room_id', value: null) => void },
  property: unknown,
) {
  const rooms = useNames(reference.roomNames)
  const room = rooms.find((row) => row.id === form.values['room_id'])
  const elsewhere = room !== undefined && typeof property === 'number' && propertyOf(room) !== property
  useEffect(() => {
    if (elsewhere) form.set('room_id', null)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `set` is the same in effect on every draw
  }, [elsewhere])
}

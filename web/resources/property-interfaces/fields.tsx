// Interface fields: what it is and whose, how the other system is reached, and what its guests get; for the wizard and the form.
import * as groups from '#contract/groups.ts'
import { messages } from '#contract/messages.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import { InterfaceInput } from '#contract/property-interfaces.ts'
import * as reference from '#contract/reference.ts'
import { id, type OwnerType } from '#contract/shapes.ts'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { session, useSession } from '#web/session/session.ts'
import { Row, Section } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'

interface Fields {
  form: Form<typeof InterfaceInput>
}

/** Whose it is must be said, unless it is one's own. */
const isSaid = (owner_id: unknown) => owner_id != null
const WithOwner = InterfaceInput.extend({ owner_id: id.nullish().refine(isSaid, messages.fields.required) })
export const schemaFor = ({ owner_type }: Record<string, unknown>) => {
  const own = session.get().user?.owner_type
  return owner_type === undefined || owner_type === 'Customer' || owner_type === own ? InterfaceInput : WithOwner
}

export const stepFields = {
  interface: ['property_interface_type_id', 'name', 'owner_type', 'owner_id'],
  connection: ['host', 'port', 'sales_outlet', 'username', 'password'],
  guests: ['package_id', 'check_account_in_dispute', 'active'],
} as const

export const KindFields = ({ form, first = false }: Fields & { first?: boolean }) => (
  <Section title="Interface" hint="The system that knows who stays where.">
    <Lookup form={form} name="property_interface_type_id" from={reference.propertyInterfaceTypes} />
    <Field form={form} name="name" placeholder="Called after its type" first={first} />
  </Section>
)

/** Nobody makes one above themselves; packages are the company's. */
const owners: Record<ReturnType<typeof appContext>, readonly OwnerType[]> = {
  customer: ['Property', 'Group', 'Customer', 'Package'],
  group: ['Property', 'Group'],
  property: [],
}
const lookups = { Group: groups.names, Property: properties.names, Package: packages.names }

/** Whose it is: chosen while it is made, and said ever after. */
export function OwnerFields({ form, locked }: Fields & { locked: boolean }) {
  const { user } = useSession()
  const chosen = form.values['owner_type'] as OwnerType | undefined
  const own = user?.owner_type
  const titles: Record<OwnerType, string> = {
    Customer: 'Company',
    Group: own === 'Group' ? (user?.owner_name ?? 'Group') : 'Group',
    Property: 'Property',
    Package: 'Package',
  }
  const names = chosen && chosen !== 'Customer' && chosen !== own ? lookups[chosen] : undefined
  return (
    <Section
      title="Belongs to"
      hint="It is for this property, or for all that belong to the group, package or company."
    >
      {!locked && (
        <Segments
          label="Belongs to"
          options={owners[appContext()].map((type) => ({ value: type, label: titles[type] }))}
          value={String(chosen)}
          onChange={(type) => {
            form.set('owner_type', type)
            form.set('owner_id', null)
          }}
        />
      )}
      {names && (
        <Lookup
          key={chosen}
          form={locked ? { ...form, readOnly: true } : form}
          name="owner_id"
          label={chosen ?? ''}
          from={names}
        />
      )}
    </Section>
  )
}

export interface Kept {
  has_username: boolean
  has_password: boolean
}
const nothingKept: Kept = { has_username: false, has_password: false }

export const ConnectionFields = ({ form, kept = nothingKept }: Fields & { kept?: Kept | undefined }) => (
  <Section title="Connection" hint="Where the other system answers. All of it may be filled in later.">
    <Row>
      <Field form={form} name="host" placeholder="pms.example.com" autoComplete="off" />
      <Field form={form} name="port" placeholder="5010" autoComplete="off" />
    </Row>
    <Field form={form} name="sales_outlet" hint="What charges are booked under, such as 10." />
    {!form.readOnly && (
      <Row>
        <PasswordField
          form={form}
          name="username"
          label={kept.has_username ? 'New user name or client ID' : 'User name or client ID'}
          placeholder={kept.has_username ? 'Unchanged' : ''}
          autoComplete="off"
        />
        <PasswordField
          form={form}
          name="password"
          label={kept.has_password ? 'New password or token' : 'Password or token'}
          placeholder={kept.has_password ? 'Unchanged' : ''}
          autoComplete="new-password"
        />
      </Row>
    )}
  </Section>
)

export const GuestFields = ({ form }: Fields) => (
  <Section title="Guests" hint="What those get whom the other system knows.">
    <Lookup
      form={form}
      name="package_id"
      from={packages.names}
      placeholder="The property's package"
      only={(pack) => pack.status === 'active'}
    />
    <SwitchField form={form} name="check_account_in_dispute" hint="Guests whose bill is in dispute are not let in." />
  </Section>
)

export const InterfaceStatus = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'It exchanges rooms and guests with the other system.',
        disabled: 'Nothing is exchanged. Everything is kept.',
      }}
    />
  </Section>
)

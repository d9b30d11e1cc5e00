// Interface fields: its type and owner, how the other system is reached, and what its guests get; for the wizard and the form.
import { fieldsIn } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { fields } from '#contract/property-interfaces.ts'
import { id, type OwnerType } from '#contract/shapes.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { ParameterFields } from '#web/kit/form/parameter-fields.tsx'
import { asksFor } from '#web/kit/form/parameter-kind.ts'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { appContext } from '#web/session/context.ts'
import { session, useSession } from '#web/session/session.ts'
import { Section } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { schemaOf, type InterfaceSchema, type KnownKind } from './kinds.ts'

interface Fields {
  form: Form<InterfaceSchema>
}

/** The owner is required, unless it is the user's own. */
const isGiven = (owner_id: unknown) => owner_id != null
const owner_id = id.nullish().refine(isGiven, messages.fields.required)
export const schemaFor = ({ owner_type }: Record<string, unknown>, kind: KnownKind): InterfaceSchema => {
  const own = session.get().user?.owner_type
  const schema = schemaOf(kind)
  return owner_type === undefined || owner_type === 'Customer' || owner_type === own
    ? schema
    : schema.extend({ owner_id })
}

const inSections = (...sections: string[]) => sections.flatMap((section) => fieldsIn(fields, section))

export const stepFields = {
  interface: inSections('interface', 'owner'),
  connection: inSections('connection'),
  guests: [...inSections('guests'), 'active'],
}

export const KindFields = ({ form, first = false }: Fields & { first?: boolean }) => (
  <FieldSection
    form={form}
    fields={fields}
    section="interface"
    title="Interface"
    hint="The system that knows who stays where."
    own={{ name: <Field form={form} name="name" placeholder="Named after its type" first={first} /> }}
  />
)

/** The owners that users of each context can choose: none above their own; packages belong to the company. */
const owners: Record<ReturnType<typeof appContext>, readonly OwnerType[]> = {
  customer: ['Property', 'Group', 'Customer', 'Package'],
  group: ['Property', 'Group'],
  property: [],
}
const tables = { Group: 'groups', Property: 'properties', Package: 'packages' } as const

/** The owner, which is chosen on creation and does not change. */
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
  const table = chosen && chosen !== 'Customer' && chosen !== own ? tables[chosen] : undefined
  return (
    <FieldSection
      form={form}
      fields={fields}
      section="owner"
      title="Belongs to"
      hint="It is for this property, or for all that belong to the group, package or company."
      own={{
        owner_type: !locked && (
          <Segments
            label="Belongs to"
            options={owners[appContext()].map((type) => ({ value: type, label: titles[type] }))}
            value={String(chosen)}
            onChange={(type) => {
              form.set('owner_type', type)
              form.set('owner_id', null)
            }}
          />
        ),
        owner_id: table && (
          <Lookup
            key={chosen}
            form={locked ? { ...form, readOnly: true } : form}
            name="owner_id"
            label={chosen ?? ''}
            to={table}
          />
        ),
      }}
    />
  )
}

/** Which of the secret fields are stored. */
export interface Credentials {
  has_username: boolean
  has_password: boolean
}
const noCredentials: Credentials = { has_username: false, has_password: false }

interface OfKind {
  kind: KnownKind
  /** The keys of the settings' secrets that are set. */
  secretsSet?: readonly string[]
}

function hintOf(kind: KnownKind): string {
  if (!kind || kind.served) return kind?.note ?? 'Where the other system answers. All of it may be filled in later.'
  return ['Foyer does not support it yet, so nothing comes from it. What you enter is kept.', kind.note]
    .filter(Boolean)
    .join(' ')
}

/** What the system needs to be told, and nothing else. */
export const ConnectionFields = ({
  form,
  kind,
  credentials = noCredentials,
  secretsSet = [],
}: Fields & OfKind & { credentials?: Credentials | undefined }) => {
  const { values } = form
  const parameters = kind?.parameters ?? []
  const secret = (name: 'username' | 'password', isStored: boolean, autoComplete: string) => {
    const label = form.labelOf(name)
    return (
      (isStored || asksFor(kind, name)) &&
      !form.readOnly && (
        <PasswordField
          form={form}
          name={name}
          label={isStored ? `New ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
          placeholder={isStored ? 'Unchanged' : ''}
          autoComplete={autoComplete}
        />
      )
    )
  }
  return (
    <FieldSection
      form={form}
      fields={fields}
      section="connection"
      title="Connection"
      hint={hintOf(kind)}
      rows={[['host', 'port'], ['sales_outlet'], ['username', 'password']]}
      own={{
        host: asksFor(kind, 'host', values['host']) && (
          <Field form={form} name="host" placeholder="pms.example.com" autoComplete="off" />
        ),
        port: asksFor(kind, 'port', values['port']) && (
          <Field form={form} name="port" placeholder="5010" autoComplete="off" />
        ),
        sales_outlet: asksFor(kind, 'sales_outlet', values['sales_outlet']) && (
          <Field form={form} name="sales_outlet" hint="What charges are booked under, such as 10. Not used yet." />
        ),
        username: secret('username', credentials.has_username, 'off'),
        password: secret('password', credentials.has_password, 'new-password'),
        settings: parameters.length > 0 && (
          <ParameterFields form={form} name="settings" parameters={parameters} secretsSet={secretsSet} />
        ),
      }}
    />
  )
}

export const GuestFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="guests"
    title="Guests"
    hint="What guests of the other system get."
    hints={{
      check_account_in_dispute:
        'MRI and webhooks say whose bill is in dispute, FIAS which room is barred. Packages can be marked as not for them.',
    }}
  />
)

export const InterfaceStatus = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'It exchanges rooms and guests with the other system.',
        disabled: 'No data is exchanged. Everything is kept.',
      }}
    />
  </Section>
)

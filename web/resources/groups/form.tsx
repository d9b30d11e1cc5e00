// Group form: the wizard for a new group, and the form for an existing one.
import { fieldsIn } from '#contract/fields.ts'
import * as groups from '#contract/groups.ts'
import { GroupInput } from '#contract/groups.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { to } from '#web/paths.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'

interface Fields {
  form: Form<typeof GroupInput>
  first?: boolean
}

const NameFields = ({ form, first = false }: Fields) => (
  <FieldSection
    form={form}
    fields={groups.fields}
    section="group"
    title="Group"
    hint="How your team sees it. Guests never do."
    own={{
      name: <Field form={form} name="name" first={first} />,
      contact_email: <Field form={form} name="contact_email" type="email" hint="Who to write to about this group." />,
    }}
  />
)

const GuestFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={groups.fields}
    section="guests"
    title="Guests"
    hint="What guests of its properties see when a property has no portal of its own."
  />
)

const PropertiesFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={groups.fields}
    section="properties"
    title="Properties"
    hint="A property belongs to one group. Choosing it here removes it from its former one."
  />
)

const StatusFields = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'In use.',
        disabled: 'Marked as no longer in use. Its properties and users go on as they are.',
        draft: 'Marked as still being set up. Its properties and users go on as they are.',
      }}
    />
  </Section>
)

export function GroupForm({ id }: { id: number }) {
  const form = useResource(groups, GroupInput, id)
  return (
    <ResourceForm form={form} noun="group" back={to.groups()}>
      <NameFields form={form} />
      <GuestFields form={form} />
      <PropertiesFields form={form} />
      <StatusFields form={form} />
    </ResourceForm>
  )
}

export const NewGroup = () => (
  <>
    <PageHeader title="New group" above={<Link href={to.groups()}>Groups</Link>} />
    <Permitted to={groups.create} back={to.groups()}>
      <GroupWizard />
    </Permitted>
  </>
)

function GroupWizard() {
  const form = useResource(groups, GroupInput)
  return (
    <Wizard
      form={form}
      noun="group"
      back={to.groups()}
      done={({ id }) => to.group(id)}
      draftable="draft"
      steps={[
        { title: 'Group', fields: fieldsIn(groups.fields, 'group'), body: <NameFields form={form} first /> },
        { title: 'Guests', fields: fieldsIn(groups.fields, 'guests'), body: <GuestFields form={form} /> },
        { title: 'Properties', fields: fieldsIn(groups.fields, 'properties'), body: <PropertiesFields form={form} /> },
      ]}
    />
  )
}

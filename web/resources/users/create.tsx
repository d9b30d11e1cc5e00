// New user: a wizard for one person with all details. Several at once are invited in the dialog.
import { fieldsIn } from '#contract/fields.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { UserInput } from '#contract/users.ts'
import { useNames } from '#web/kit/call/names.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { FieldRows, FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { OwnerField } from '#web/kit/form/owner-field.tsx'
import { permissionHint } from '#web/kit/form/permission-select.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'

export interface NewUserProps {
  property_id?: number
  group_id?: number
}

interface Fields {
  form: Form<typeof UserInput>
}

/** The address of the list that they will be in. */
const listOf = ({ property_id, group_id }: NewUserProps) =>
  property_id
    ? to.property(property_id, 'users')
    : group_id
      ? to.group(group_id, 'users')
      : hasScreen(appContext(), 'users')
        ? to.users()
        : to.dashboard()

export const NewUser = (place: NewUserProps) => (
  <>
    <PageHeader title="New user" above={<Link href={listOf(place)}>Users</Link>} />
    <Permitted to={users.create} back={listOf(place)} icon="users">
      <UserWizard {...place} />
    </Permitted>
  </>
)

function UserWizard(place: NewUserProps) {
  const { property_id, group_id } = place
  const form = useResource(users, UserInput, undefined, {
    user_type_id: 1,
    ...(property_id
      ? { owner_type: 'Property' as const, owner_id: property_id }
      : group_id
        ? { owner_type: 'Group' as const, owner_id: group_id }
        : {}),
  })
  return (
    <Wizard
      form={form}
      noun="user"
      back={listOf(place)}
      done={({ id }) => to.user(id)}
      steps={[
        {
          title: 'Person',
          fields: ['person', 'contact'].flatMap((section) => fieldsIn(users.fields, section)),
          body: <PersonFields form={form} />,
        },
        {
          title: 'Access',
          fields: fieldsIn(users.fields, 'access'),
          body: <AccessFields form={form} />,
        },
        { title: 'Review', fields: [], body: <Review form={form} /> },
      ]}
    />
  )
}

const PersonFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={users.fields}
    section="person"
    title="Person"
    hint="They get an e-mail with a link that works for 7 days. Their address is their login."
    own={{
      name: <Field form={form} name="name" first />,
      email: <Field form={form} name="email" type="email" />,
    }}
  >
    <FieldRows
      form={form}
      fields={users.fields}
      section="contact"
      rows={[['company_name', 'contact_email']]}
      own={{ username: null, contact_email: <Field form={form} name="contact_email" type="email" /> }}
    />
  </FieldSection>
)

const AccessFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={users.fields}
    section="access"
    title="Access"
    hint="What they see, and whether they may change it."
    own={{
      owner_type: <OwnerField form={form} type="owner_type" id="owner_id" />,
      owner_id: null,
    }}
    hints={{ user_type_id: permissionHint }}
  />
)

function Review({ form: { values } }: Fields) {
  const { user } = useSession()
  const places = useNames(values['owner_type'] === 'Group' ? groups.names : properties.names)
  return (
    <Section title="Review" hint="The invitation is sent when you create the user.">
      <FieldFacts
        fields={users.fields}
        of={values}
        filledOnly
        sections={['person', 'contact', 'access']}
        own={{
          username: null,
          owner_type: null,
          owner_id: [places.find(({ id }) => id === values['owner_id'])?.name ?? user?.owner_name],
        }}
      />
    </Section>
  )
}

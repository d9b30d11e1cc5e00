// New user: a wizard for one person with everything that is known of them. Several at once are invited by the dialog.
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import * as users from '#contract/users.ts'
import { UserInput } from '#contract/users.ts'
import { useNames } from '#web/kit/call/names.ts'
import { Field } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
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
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader, Row, Section } from '#web/ui/page.tsx'

export interface NewUserProps {
  property_id?: number
  group_id?: number
}

interface Fields {
  form: Form<typeof UserInput>
}

/** The list that they will stand in. */
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
          fields: ['name', 'email', 'company_name', 'contact_email'],
          body: <PersonFields form={form} />,
        },
        {
          title: 'Access',
          fields: ['owner_type', 'owner_id', 'user_type_id'],
          body: <AccessFields form={form} />,
        },
        { title: 'Review', fields: [], body: <Review form={form} /> },
      ]}
    />
  )
}

const PersonFields = ({ form }: Fields) => (
  <Section title="Person" hint="They get an e-mail with a link that is good for 7 days. Their address is their login.">
    <Field form={form} name="name" first />
    <Field form={form} name="email" type="email" />
    <Row>
      <Field form={form} name="company_name" />
      <Field form={form} name="contact_email" type="email" />
    </Row>
  </Section>
)

const AccessFields = ({ form }: Fields) => (
  <Section title="Access" hint="What they see, and whether they may change it.">
    <OwnerField form={form} type="owner_type" id="owner_id" groups={groups.names} properties={properties.names} />
    <Lookup form={form} name="user_type_id" from={reference.userTypes} hint={permissionHint} />
  </Section>
)

function Review({ form: { values } }: Fields) {
  const { user } = useSession()
  const types = useNames(reference.userTypes)
  const places = useNames(values['owner_type'] === 'Group' ? groups.names : properties.names)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  return (
    <Section title="Review" hint="The invitation is sent when you create the user.">
      <Facts
        facts={[
          ['Full name', text('name')],
          ['E-mail', text('email')],
          ['Company', text('company_name')],
          ['Contact e-mail', text('contact_email')],
          ['Belongs to', places.find(({ id }) => id === values['owner_id'])?.name ?? user?.owner_name],
          ['Permission', types.find(({ id }) => id === values['user_type_id'])?.name],
        ]}
      />
    </Section>
  )
}

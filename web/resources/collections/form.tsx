// Collection form: the wizard for a new collection, and the form for an existing one.
import * as collections from '#contract/collections.ts'
import { CollectionInput } from '#contract/collections.ts'
import { fieldsIn } from '#contract/fields.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { LookupMany } from '#web/kit/form/lookup.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'

interface Fields {
  form: Form<typeof CollectionInput>
  first?: boolean
}

const NameFields = ({ form, first = false }: Fields) => (
  <FieldSection
    form={form}
    fields={collections.fields}
    section="collection"
    title="Collection"
    hint="A name for properties that belong together. It does not change anybody’s rights."
    own={{
      name: <Field form={form} name="name" first={first} />,
      // Users of a group can only create collections of their own group.
      ...(appContext() === 'customer' ? {} : { group_id: null }),
    }}
    hints={{
      group_id:
        'A group’s collection can only hold that group’s properties and people. Without a group, it can span several.',
    }}
  />
)

/** A group's collection is only offered properties and users of that group. */
const ofGroup = (form: Fields['form']) => {
  const group_id = form.values['group_id']
  return typeof group_id === 'number' ? { group_id } : {}
}

const PropertiesFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={collections.fields}
    section="properties"
    title="Properties"
    hint="A property can be in any number of collections."
    own={{ property_ids: <LookupMany form={form} name="property_ids" of={ofGroup(form)} /> }}
  />
)

const TeamFields = ({ form }: Fields) => (
  <FieldSection
    form={form}
    fields={collections.fields}
    section="team"
    title="Team"
    hint="Who looks after these properties. They keep their permission."
    own={{ user_ids: <LookupMany form={form} name="user_ids" of={ofGroup(form)} /> }}
  />
)

const StatusFields = ({ form }: Fields) => (
  <Section title="Status">
    <StatusField
      form={form}
      means={{
        active: 'It is offered wherever a collection can be chosen.',
        disabled: 'It is not used. Everything in it is kept.',
        draft: 'Still being set up.',
      }}
    />
  </Section>
)

export function CollectionForm({ id }: { id: number }) {
  const form = useResource(collections, CollectionInput, id)
  return (
    <ResourceForm form={form} noun="collection" back={to.collections()}>
      <NameFields form={form} />
      <PropertiesFields form={form} />
      <TeamFields form={form} />
      <StatusFields form={form} />
    </ResourceForm>
  )
}

export const NewCollection = () => (
  <>
    <PageHeader title="New collection" above={<Link href={to.collections()}>Collections</Link>} />
    <Permitted to={collections.create} back={to.collections()} icon="collections">
      <CollectionWizard />
    </Permitted>
  </>
)

function CollectionWizard() {
  const form = useResource(collections, CollectionInput)
  return (
    <Wizard
      form={form}
      noun="collection"
      back={to.collections()}
      done={({ id, draft }) => (draft ? to.collection(id) : to.collectionCreated(id))}
      draftable="draft"
      steps={[
        {
          title: 'Collection',
          fields: fieldsIn(collections.fields, 'collection'),
          body: <NameFields form={form} first />,
        },
        {
          title: 'Properties',
          fields: fieldsIn(collections.fields, 'properties'),
          body: <PropertiesFields form={form} />,
        },
        { title: 'Team', fields: fieldsIn(collections.fields, 'team'), body: <TeamFields form={form} /> },
      ]}
    />
  )
}

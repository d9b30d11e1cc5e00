// Group form: a new group, and the details of one that exists.
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { Field } from '#web/kit/form/field.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { Lookup, LookupMany } from '#web/kit/form/lookup.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'

export function GroupForm({ id }: { id?: number }) {
  const form = useResource(groups, groups.GroupInput, id)
  return (
    <ResourceForm form={form} noun="group" back={to.groups()} onDone={() => id === undefined && go(to.groups())}>
      <Section title="Group" hint="How your team sees it. Guests never do.">
        <Field form={form} name="name" label="Name" first={id === undefined} />
        <Field
          form={form}
          name="contact_email"
          label="Contact e-mail"
          type="email"
          hint="Who to write to about this group."
        />
      </Section>
      <Section title="Guests" hint="What guests of its properties meet, where a property has no portal of its own.">
        <Lookup form={form} name="portal_id" label="Portal" from={reference.portalNames} />
      </Section>
      <Section
        title="Properties"
        hint="A property belongs to one group. Choosing it here takes it out of its former one."
      >
        <LookupMany form={form} name="property_ids" label="Properties" from={properties.names} />
      </Section>
      <Section title="State">
        <SwitchField form={form} name="draft" label="Draft" hint="Still being set up. Guests cannot use it yet." />
        <SwitchField form={form} name="active" label="Active" hint="Guests can get online in its properties." />
      </Section>
    </ResourceForm>
  )
}

export const NewGroup = () => (
  <>
    <PageHeader title="New group" above={<Link href={to.groups()}>Groups</Link>} />
    <Permitted to={groups.create} back={to.groups()}>
      <GroupForm />
    </Permitted>
  </>
)

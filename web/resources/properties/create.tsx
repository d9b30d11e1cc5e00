// New property: a wizard. A step can only be left once its own fields are valid; a draft can be saved from any of them, since it
// needs only a name.
import { fieldsIn } from '#contract/fields.ts'
import * as properties from '#contract/properties.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { to } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { AddressFields, BillingFields, PropertyFields, WifiFields, usePresets } from './fields.tsx'
import { Review } from './review.tsx'
import { appContext } from '#web/session/context.ts'
import { locksFor, schemaFor } from './rules.ts'

export const NewProperty = ({ group_id }: { group_id?: number }) => (
  <>
    <PageHeader title="New property" above={<Link href={to.properties()}>Properties</Link>} />
    <Permitted to={properties.create} back={to.properties()}>
      <PropertyWizard {...(group_id ? { group_id } : {})} />
    </Permitted>
  </>
)

function PropertyWizard({ group_id }: { group_id?: number }) {
  const form = useResource(properties, schemaFor, undefined, group_id ? { group_id } : {}, locksFor(appContext()))
  usePresets(form)
  return (
    <Wizard
      form={form}
      noun="property"
      back={group_id ? to.group(group_id, 'properties') : to.properties()}
      done={({ id, draft }) => (draft ? to.property(id) : to.propertyCreated(id))}
      draftable="draft"
      steps={[
        {
          title: 'Property',
          fields: fieldsIn(properties.fields, 'property'),
          body: <PropertyFields form={form} first />,
        },
        { title: 'Address', fields: fieldsIn(properties.fields, 'address'), body: <AddressFields form={form} /> },
        { title: 'Guest Wi-Fi', fields: fieldsIn(properties.fields, 'wifi'), body: <WifiFields form={form} /> },
        // Only head office sets these; everybody else sees them in the review.
        ...(appContext() === 'customer'
          ? [{ title: 'Billing', fields: fieldsIn(properties.fields, 'billing'), body: <BillingFields form={form} /> }]
          : []),
        { title: 'Review', fields: [], body: <Review form={form} /> },
      ]}
    />
  )
}

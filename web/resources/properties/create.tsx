// New property: a wizard. Each step is left only when its own fields are right; a draft can be saved from any of them,
// since it needs no more than a name.
import { useEffect, useState } from 'react'
import * as properties from '#contract/properties.ts'
import { messages } from '#contract/messages.ts'
import { EditorsOnly } from '#web/kit/form/editors-only.tsx'
import { problems } from '#web/kit/form/form-state.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { AddressFields, BillingFields, PropertyFields, WifiFields, stepFields } from './fields.tsx'
import { Review } from './review.tsx'
import { schemaFor, type PropertyField } from './rules.ts'

export const NewProperty = ({ group_id }: { group_id?: number }) => (
  <>
    <PageHeader title="New property" above={<Link href={to.properties()}>Properties</Link>} />
    <EditorsOnly back={to.properties()}>
      <PropertyWizard {...(group_id ? { group_id } : {})} />
    </EditorsOnly>
  </>
)

function PropertyWizard({ group_id }: { group_id?: number }) {
  const { form, saveDraft } = useDraftable(group_id ? { group_id } : {})
  return (
    <Wizard
      form={form}
      noun="property"
      back={group_id ? to.group(group_id, 'properties') : to.properties()}
      onDone={(property) => go(to.propertyCreated(property.id))}
      aside={
        <Button disabled={form.saving} onClick={saveDraft}>
          Save as draft
        </Button>
      }
      steps={[
        { title: 'Property', fields: stepFields.property, body: <PropertyFields form={form} first /> },
        { title: 'Address', fields: stepFields.address, body: <AddressFields form={form} /> },
        { title: 'Guest Wi-Fi', fields: stepFields.wifi, body: <WifiFields form={form} /> },
        { title: 'Billing', fields: stepFields.billing, body: <BillingFields form={form} /> },
        { title: 'Review', fields: [], body: <Review form={form} /> },
      ]}
    />
  )
}

/** A form that can also be saved as a draft, by the laxer rules of one. */
function useDraftable(preset: { group_id?: number }) {
  const [asDraft, setAsDraft] = useState<'no' | 'saving' | 'saved'>('no')
  const form = useResource(properties, schemaFor({ draft: asDraft !== 'no' }), undefined, preset)
  const { save, set, reset, values } = form
  useEffect(() => {
    if (asDraft === 'saved') go(to.properties())
    if (asDraft !== 'saving') return
    void save().then((saved) => {
      if (saved) {
        notify.success('The property has been saved as a draft')
        // Nothing is unsaved any more, so that leaving does not ask.
        reset(values)
      } else set('draft', false)
      setAsDraft(saved ? 'saved' : 'no')
    })
    // The step itself decides; what the form holds at that moment is what is saved.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asDraft])
  const saveDraft = () => {
    const wrong = Object.keys(problems(schemaFor({ draft: true }), values)) as PropertyField[]
    if (wrong.length > 0) {
      form.check(wrong)
      return notify.error(messages.fields.notValid)
    }
    set('draft', true)
    setAsDraft('saving')
  }
  return { form, saveDraft }
}

// Holiday form: a dialog with an address, `?modal=property-holiday&property_id=4`; with `property_holiday_id` it edits that one.
import * as holidays from '#contract/property-holidays.ts'
import { PropertyHolidayInput } from '#contract/property-holidays.ts'
import { DayField } from '#web/kit/form/day-field.tsx'
import { FieldRows } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { forgetLists } from '#web/kit/call/query-client.ts'
import { here } from '#web/kit/navigation/go.ts'
import { withoutModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { holidayContract } from './kind.ts'
import { WhichProperty } from './which-property.tsx'
import styles from './holidays.module.css'

export interface HolidayDialogProps {
  property_id?: number
  property_holiday_id?: number
  close: () => void
}

export function HolidayDialog({ property_id, property_holiday_id, close }: HolidayDialogProps) {
  const mayCreate = useMayCall(holidays.createHoliday)
  return (
    <Dialog open onClose={close} title={property_holiday_id === undefined ? 'New holiday' : 'Holiday'}>
      {mayCreate && property_id === undefined && property_holiday_id === undefined ? (
        <WhichProperty of="property-holiday" />
      ) : mayCreate ? (
        <HolidayForm id={property_holiday_id} property_id={property_id} close={close} />
      ) : (
        <NotPermitted icon="calendar" />
      )}
    </Dialog>
  )
}

function HolidayForm({
  id,
  property_id,
  close,
}: {
  id: number | undefined
  property_id: number | undefined
  close: () => void
}) {
  const form = useResource(holidayContract, PropertyHolidayInput, id, { property_id })
  const done = () => {
    forgetLists(holidays.holidayList.path)
    close()
  }
  return (
    <ResourceForm form={form} noun="holiday" back={withoutModal(here())} onDone={done}>
      <div className={styles.fields}>
        <FieldRows
          form={form}
          fields={holidays.fields}
          section="holiday"
          own={{
            name: <Field form={form} name="name" placeholder="Christmas break" first />,
            ends_on: <DayField form={form} name="ends_on" hint="For a single day, the same as the first." />,
          }}
        />
      </div>
    </ResourceForm>
  )
}

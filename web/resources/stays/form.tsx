// Stay form: a dialog with an address, `?modal=stay&stay_id=4`, in which the desk gives what holds for this stay alone.
import * as stays from '#contract/stays.ts'
import { StayInput } from '#contract/stays.ts'
import { DayField } from '#web/kit/form/day-field.tsx'
import { FieldRows } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { TextAreaField } from '#web/kit/form/text-area-field.tsx'
import { TimeField } from '#web/kit/form/time-field.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { here } from '#web/kit/navigation/go.ts'
import { Unkept } from '#web/limits/unkept.tsx'
import { withoutModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { stayContract } from '#web/stays/given.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { say } from '#web/words/desk.ts'
import styles from './stays.module.css'

export interface StayDialogProps {
  stay_id?: number
  close: () => void
}

export function StayDialog({ stay_id, close }: StayDialogProps) {
  const mayChange = useMayCall(stays.updateStay)
  return (
    <Dialog open onClose={close} title={say('stay.title')}>
      {!mayChange ? (
        <NotPermitted icon="rooms" />
      ) : stay_id === undefined ? (
        <>
          <p className={styles.whose}>{say('form.no-stay')}</p>
          <div className={styles.buttons}>
            <Button first onClick={close}>
              {say('form.close')}
            </Button>
          </div>
        </>
      ) : (
        <StayForm id={stay_id} close={close} />
      )}
    </Dialog>
  )
}

const stayNoun = () => ({
  created: say('form.saved-stay'),
  updated: say('form.saved-stay'),
  missing: say('form.missing-stay'),
})

function StayForm({ id, close }: { id: number; close: () => void }) {
  const form = useResource(stayContract, StayInput, id)
  const names = form.record?.guests.map(({ name }) => name).join(', ')
  return (
    <ResourceForm form={form} noun={stayNoun()} back={withoutModal(here())} onDone={close}>
      <div className={styles.fields}>
        {form.record && (
          <p className={styles.whose}>{say('form.whose', { room: form.record.room.name, names: names ?? '' })}</p>
        )}
        <FieldRows
          form={form}
          fields={stays.fields}
          section="stay"
          rows={[['departs_on', 'until_time']]}
          own={{
            departs_on: <DayField form={form} name="departs_on" label={say('form.departure')} />,
            until_time: (
              <TimeField form={form} name="until_time" label={say('form.until')} hint={say('form.until-hint')} />
            ),
            package_id: (
              <Lookup form={form} name="package_id" label={say('give.package')} none={say('form.room-package')} />
            ),
            devices: <Field form={form} name="devices" label={say('form.devices')} hint={say('form.devices-hint')} />,
            group_name: <Field form={form} name="group_name" label={say('form.group')} autoComplete="off" />,
            note: (
              <TextAreaField form={form} name="note" label={say('form.note')} hint={say('form.note-hint')} rows={3} />
            ),
          }}
        />
        <Unkept
          package_id={form.values['package_id']}
          where={form.record ? { property_ids: [form.record.property.id] } : null}
        />
      </div>
    </ResourceForm>
  )
}

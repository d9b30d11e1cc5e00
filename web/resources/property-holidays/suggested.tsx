// Suggested holidays: a dialog with an address, `?modal=suggested-holidays&property_id=4`. Public ones of the property's country, or
// those of the user's own calendar; the user reviews them before they are added.
import { useState } from 'react'
import * as suggestions from '#contract/holiday-suggestions.ts'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { OwnCalendar } from './own-calendar.tsx'
import { PublicHolidays } from './public-holidays.tsx'
import { WhichProperty } from './which-property.tsx'
import styles from './holidays.module.css'

const sources = [
  { value: 'public', label: 'Public holidays' },
  { value: 'own', label: 'My calendar' },
]

export function SuggestedHolidays({ property_id, close }: { property_id?: number; close: () => void }) {
  const mayTake = useMayCall(suggestions.takeHolidays)
  const [source, setSource] = useState('public')
  return (
    <Dialog open onClose={close} title="Suggest holidays" width={620} wholeOnPhones>
      {mayTake && property_id === undefined ? (
        <WhichProperty of="suggested-holidays" />
      ) : mayTake && property_id !== undefined ? (
        <div className={styles.dialog}>
          <Segments label="Where from" bare options={sources} value={source} onChange={setSource} />
          {source === 'public' ? (
            <PublicHolidays property_id={property_id} close={close} />
          ) : (
            <OwnCalendar property_id={property_id} close={close} />
          )}
        </div>
      ) : (
        <NotPermitted icon="calendar" />
      )}
    </Dialog>
  )
}

// Unlisted holidays: future ones that are no longer in the public list, or have moved there. The user keeps, moves or removes each.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as suggestions from '#contract/holiday-suggestions.ts'
import * as holidays from '#contract/property-holidays.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetLists, keys, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import styles from './holidays.module.css'

type LeftOut = RowOf<typeof suggestions.leftOut>
type Days = Pick<LeftOut, 'starts_on' | 'ends_on'>

const daysText = ({ starts_on, ends_on }: Days) =>
  starts_on === ends_on ? dayOf(starts_on) : `${dayOf(starts_on)} – ${dayOf(ends_on)}`

export function UnlistedHolidays({ property_id }: { property_id: number }) {
  const mayUpdate = useMayCall(holidays.updateHoliday)
  // A failure here is not shown, as the list below does not depend on it.
  const { data, refetch } = useQuery({
    queryKey: keys.list(suggestions.leftOut.path, property_id),
    queryFn: ({ signal }) => call(suggestions.leftOut, { property_id }, { signal }),
    retry: false,
  })
  const [busy, setBusy] = useState(false)
  if (!data || data.data.length === 0) return null
  const settle = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      forgetLists(holidays.holidayList.path)
      invalidateOthers()
      notify.success(done)
    } catch (error) {
      notify.failure(error)
    }
    await refetch()
    setBusy(false)
  }
  return (
    <div className={styles.changed}>
      <Notice>
        <b>The public list has changed.</b> It was different when these holidays were added. Nothing changes here by
        itself.
        <ul className={styles.leftOut} aria-label="Holidays that are no longer in the public list">
          {data.data.map(({ holiday_id: id, name, moved_to, ...days }) => (
            <li key={id}>
              <span>
                {name}, {daysText(days)}: {moved_to ? `now ${daysText(moved_to)}` : 'no longer in the list'}
              </span>
              {mayUpdate && (
                <span className={styles.settle}>
                  <Button
                    disabled={busy}
                    onClick={() =>
                      void settle(() => call(holidays.updateHoliday, { id, listed: false }), `“${name}” stays as it is`)
                    }
                  >
                    Keep<span className="unseen"> {name}</span>
                  </Button>
                  {moved_to ? (
                    <Button
                      disabled={busy}
                      onClick={() =>
                        void settle(
                          () => call(holidays.updateHoliday, { id, ...moved_to, listed: true }),
                          `“${name}” is on ${daysText(moved_to)} now`,
                        )
                      }
                    >
                      Move<span className="unseen"> {name}</span>
                    </Button>
                  ) : (
                    <Button
                      disabled={busy}
                      onClick={() => void settle(() => call(holidays.removeHoliday, { id }), `“${name}” is removed`)}
                    >
                      Remove<span className="unseen"> {name}</span>
                    </Button>
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

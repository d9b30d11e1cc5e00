// Suggestions: the holidays that were found, compared with the property's own, to be ticked and added.
import { useState } from 'react'
import * as suggestions from '#contract/holiday-suggestions.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { holidayList } from '#contract/property-holidays.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { DialogFooter } from '#web/ui/dialog.tsx'
import styles from './holidays.module.css'

type Suggestion = RowOf<typeof suggestions.suggestHolidays>

const keyOf = ({ starts_on, ends_on, name }: Suggestion) => `${starts_on} ${ends_on} ${name}`
/** Ticked at first: it is new, and most people have the day off. */
const isUsual = ({ state, kind }: Suggestion) => state === 'new' && kind !== 'bank'

const remarks: Record<Suggestion['state'], string> = {
  new: '',
  taken: 'Already added',
  moved: 'Already here, on another day',
}
function remarkOn({ state, kind, substitute, rule }: Suggestion): string {
  const parts = [rule ?? '', remarks[state], substitute ? 'Substitute day' : '', kind === 'bank' ? 'Banks only' : '']
  return parts.filter((part) => part !== '').join(' · ')
}

interface SuggestionsProps {
  of: readonly Suggestion[]
  property_id: number
  /** Shown if nothing was found. */
  empty: string
  source?: string
  /** Set if they are from the public list of the country, or of this region of it. */
  listed?: { region: string | null }
  close: () => void
}

export function Suggestions({ of, property_id, empty, source, listed, close }: SuggestionsProps) {
  const [ticked, setTicked] = useState(() => new Set(of.filter(isUsual).map(keyOf)))
  const [busy, setBusy] = useState(false)
  const open = of.filter(({ state }) => state !== 'taken')
  const chosen = open.filter((one) => ticked.has(keyOf(one)))
  const tick = (keys: readonly string[], on: boolean) =>
    setTicked((before) => new Set(on ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))))

  async function take() {
    setBusy(true)
    try {
      const wanted = chosen.map(({ name, starts_on, ends_on }) => ({ name, starts_on, ends_on }))
      const { added } = await call(suggestions.takeHolidays, {
        property_id,
        holidays: wanted,
        ...(listed ? { listed } : {}),
      })
      forgetLists(holidayList.path)
      invalidateOthers()
      notify.success(added === 1 ? 'One holiday has been added' : `${added} holidays have been added`)
      close()
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  if (of.length === 0) return <p className={styles.said}>{empty}</p>
  return (
    <>
      <div className={styles.table}>
        <div className={styles.head}>
          {open.length === 0 ? (
            'The property already has all of them.'
          ) : (
            <Checkbox
              label="All"
              checked={chosen.length === open.length}
              partly={chosen.length > 0 && chosen.length < open.length}
              onChange={(on) => tick(open.map(keyOf), on)}
            />
          )}
        </div>
        <ul className={styles.rows}>
          {of.map((one) => (
            <li key={keyOf(one)} className={styles.row}>
              <Checkbox
                label={one.name}
                checked={one.state === 'taken' || ticked.has(keyOf(one))}
                disabled={one.state === 'taken'}
                onChange={(on) => tick([keyOf(one)], on)}
              />
              <span className={styles.days}>
                {one.starts_on === one.ends_on
                  ? dayOf(one.starts_on)
                  : `${dayOf(one.starts_on)} – ${dayOf(one.ends_on)}, ${one.nights} nights`}
                {remarkOn(one) !== '' && <small>{remarkOn(one)}</small>}
              </span>
            </li>
          ))}
        </ul>
      </div>
      {source && <p className={styles.source}>{source}</p>}
      <DialogFooter>
        <Button onClick={close}>{messages.modal.cancel}</Button>
        <Button kind="primary" busy={busy} disabled={chosen.length === 0} onClick={() => void take()}>
          {chosen.length === 0 ? 'Add' : chosen.length === 1 ? 'Add one holiday' : `Add ${chosen.length} holidays`}
        </Button>
      </DialogFooter>
    </>
  )
}

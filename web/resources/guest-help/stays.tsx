// Stays: who arrives, leaves, is overdue and is in house, each with one action; several who leave can be ticked.
import { useEffect, useRef, useState } from 'react'
import * as roomGuests from '#contract/room-guests.ts'
import type { StayKind } from '#contract/room-guests.ts'
import type { StayOfToday, Today } from '#contract/today.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { checkIn, checkOut, extend } from './stay-calls.ts'
import { nightsOf } from './stay-actions.tsx'
import styles from './today.module.css'

/** Longer stays are leases, for which the end date is shown instead. */
const nights_shown_max = 60
const shown_first = 10

interface Kind {
  title: string
  none: string
  action: string
  act: (stay: StayOfToday, today: string) => Promise<unknown>
  /** Several can be ticked. */
  ticked?: true
}

const kinds: Record<StayKind, Kind> = {
  arriving: { title: 'Arriving', none: 'Nobody is expected.', action: 'Check in', act: (stay) => checkIn([stay]) },
  leaving: {
    title: 'Leaving',
    none: 'Nobody leaves today.',
    action: 'Check out',
    act: (stay) => checkOut([stay]),
    ticked: true,
  },
  overdue: {
    title: 'Overdue',
    none: '',
    action: 'Check out',
    act: (stay) => checkOut([stay]),
    ticked: true,
  },
  in_house: {
    title: 'In house',
    none: 'Nobody is checked in.',
    action: 'A night more',
    act: (stay, today) => extend(stay, today, 1),
  },
}

/** Overdue stays come first, if there are any. */
const order: readonly StayKind[] = ['overdue', 'arriving', 'leaving', 'in_house']

export const StaysOfToday = ({ today, reload }: { today: Today; reload: () => Promise<unknown> }) =>
  order
    .filter((kind) => kind !== 'overdue' || today.overdue.total > 0)
    .map((kind) => <Stays key={kind} kind={kind} stays={today[kind]} today={today.day} reload={reload} />)

interface StaysProps {
  kind: StayKind
  stays: Today[StayKind]
  today: string
  reload: () => Promise<unknown>
}

function Stays({ kind, stays: { total, more, rows }, today, reload }: StaysProps) {
  const mayChange = useMayCall(roomGuests.update)
  const [all, setAll] = useState(false)
  const [busy, setBusy] = useState<readonly number[]>([])
  const [ticks, setTicks] = useState<readonly number[]>([])
  const { title, none, action, act, ticked } = kinds[kind]
  const list = useRef<HTMLUListElement>(null)
  const acted = useRef<{ id: number; index: number }>(undefined)
  // When a row disappears with its button, the focus moves to the next guest's name, where pressing Enter again changes nothing.
  useEffect(() => {
    const { id, index = 0 } = acted.current ?? {}
    if (id === undefined || rows.some((row) => row.id === id)) return
    acted.current = undefined
    if (document.activeElement !== document.body) return
    const names = list.current?.querySelectorAll<HTMLElement>('li a') ?? []
    names[Math.min(index, names.length - 1)]?.focus()
  }, [rows])
  const shown = all ? rows : rows.slice(0, shown_first)
  const chosen = rows.filter(({ id }) => ticks.includes(id))
  // Each row is busy on its own, until the list has been reloaded, so that the next guest need not wait for the last one.
  const run = async (ids: readonly number[], work: () => Promise<unknown>) => {
    setBusy((before) => [...before, ...ids])
    const done = await work().catch(notify.failure)
    // False: they cancelled, so there is nothing to reload.
    if (done !== false) await reload()
    setBusy((before) => before.filter((id) => !ids.includes(id)))
  }
  return (
    <section className={styles.list} aria-label={title}>
      <header>
        <h2>
          {title} <span>{more ? `${total.toLocaleString()}+` : total.toLocaleString()}</span>
        </h2>
        {ticked && mayChange && rows.length > 1 && (
          <div className={styles.ticked}>
            {chosen.length > 0 && (
              <Button
                kind="primary"
                icon="checkOut"
                disabled={chosen.some(({ id }) => busy.includes(id))}
                onClick={() => void run(ticks, () => checkOut(chosen))}
              >
                {`Check out ${chosen.length}`}
              </Button>
            )}
            <Checkbox
              label="All"
              checked={chosen.length === rows.length}
              partly={chosen.length > 0 && chosen.length < rows.length}
              onChange={(on) => setTicks(on ? rows.map(({ id }) => id) : [])}
            />
          </div>
        )}
      </header>
      {rows.length === 0 && <p className={styles.none}>{none}</p>}
      <ul ref={list}>
        {shown.map((stay, index) => (
          <li key={stay.id}>
            {ticked && mayChange && rows.length > 1 && (
              <Checkbox
                bare
                label={`Choose ${stay.name}`}
                checked={ticks.includes(stay.id)}
                onChange={(on) => setTicks(on ? [...ticks, stay.id] : ticks.filter((id) => id !== stay.id))}
              />
            )}
            <span className={styles.number} translate="no">
              {stay.room.name}
            </span>
            <span className={styles.who}>
              <span className={styles.named}>
                <Link className={styles.guest} href={to.guestHelp({ kind: 'stay', id: stay.id })}>
                  {stay.name}
                </Link>
                {stay.online && (
                  <span className={styles.dot} title="Online now">
                    <span className="unseen">Online</span>
                  </span>
                )}
              </span>
              <span className={styles.nights}>{lengthOf(stay, kind)}</span>
            </span>
            {mayChange && (
              <Button
                busy={busy.includes(stay.id)}
                onClick={() => {
                  acted.current = { id: stay.id, index }
                  void run([stay.id], () => act(stay, today))
                }}
              >
                {action}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {total > rows.length ? `Show the first ${rows.length}` : `Show all ${total}`}
        </Button>
      )}
      {all && total > rows.length && <p className={styles.none}>Type a name or a room above to find the others.</p>}
    </section>
  )
}

function lengthOf({ nights, departs_on }: StayOfToday, kind: StayKind): string {
  if (kind === 'overdue' && departs_on !== null) return `since ${dayOf(departs_on)}`
  if (nights === null || nights > nights_shown_max) return departs_on === null ? '' : `until ${dayOf(departs_on)}`
  return nights === 0 ? 'day use' : nightsOf(nights)
}

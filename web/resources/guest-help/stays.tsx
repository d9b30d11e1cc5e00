// Stays: who arrives, leaves, is overdue and is in house, each with one action; several who leave can be ticked. What was just done
// stands in the guest's row, or where the row was, and can be taken back.
import { useState } from 'react'
import * as roomGuests from '#contract/room-guests.ts'
import type { StayKind } from '#contract/room-guests.ts'
import type { StayOfToday, Today } from '#contract/today.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { checkIn, checkOut, extend, outcomeOf, useOutcomes, type Outcome, type Place } from '#web/stays/acts.ts'
import { OutcomeLine } from '#web/stays/outcome.tsx'
import { sourceOf } from '#web/stays/source.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { PrintSlip } from './instructions.tsx'
import { nightsOf } from './stay-actions.tsx'
import styles from './today.module.css'

/** Longer stays are leases, for which the end date is shown instead. */
const nights_shown_max = 60
const shown_first = 10

interface Kind {
  title: string
  none: string
  action: string
  /** Undefined where it makes no sense for this guest. */
  act: (stay: StayOfToday, today: string) => ((place: Place) => Promise<unknown>) | undefined
  /** Several can be ticked. */
  ticked?: true
}

const kinds: Record<StayKind, Kind> = {
  arriving: {
    title: 'Arriving',
    none: 'Nobody is expected.',
    action: 'Check in',
    act: (stay) => (place) => checkIn([stay], place),
  },
  leaving: {
    title: 'Leaving',
    none: 'Nobody leaves today.',
    action: 'Check out',
    act: (stay) => (place) => checkOut([stay], place),
    ticked: true,
  },
  overdue: {
    title: 'Overdue',
    none: '',
    action: 'Check out',
    act: (stay) => (place) => checkOut([stay], place),
    ticked: true,
  },
  in_house: {
    title: 'In house',
    none: 'Nobody is checked in.',
    action: 'A night more',
    // A stay without an end has no night more.
    act: ({ departs_on, ...stay }, today) =>
      departs_on === null ? undefined : (place) => extend({ ...stay, departs_on }, today, 1, place),
  },
}

/** Overdue stays come first, if there are any. */
const order: readonly StayKind[] = ['overdue', 'arriving', 'leaving', 'in_house']

export function StaysOfToday({ today, reload }: { today: Today; reload: () => Promise<unknown> }) {
  const outcomes = useOutcomes()
  const isShown = (kind: StayKind) =>
    kind !== 'overdue' || today.overdue.total > 0 || outcomes.some(({ place }) => place?.list === kind)
  // Where no system tells of stays, all come from the desk.
  const isTold = order.some((kind) => today[kind].rows.some(({ source }) => source === 'system'))
  return order
    .filter(isShown)
    .map((kind) => (
      <Stays key={kind} kind={kind} stays={today[kind]} today={today.day} isTold={isTold} reload={reload} />
    ))
}

interface StaysProps {
  kind: StayKind
  stays: Today[StayKind]
  today: string
  isTold: boolean
  reload: () => Promise<unknown>
}

function Stays({ kind, stays: { total, more, rows }, today, isTold, reload }: StaysProps) {
  const mayChange = useMayCall(roomGuests.update)
  const [all, setAll] = useState(false)
  const [busy, setBusy] = useState<readonly number[]>([])
  const [ticks, setTicks] = useState<readonly number[]>([])
  const { title, none, action, act, ticked } = kinds[kind]
  const outcomes = useOutcomes().filter(({ place }) => place === undefined || place.list === kind)
  const shown = all ? rows : rows.slice(0, shown_first)
  const lines = linesOf(shown, outcomes)
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
                onClick={() => void run(ticks, () => checkOut(chosen, { list: kind, index: 0 }))}
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
      <ul>
        {lines.map((line) =>
          'ids' in line ? (
            <li key={`done ${line.ids.join(' ')}`}>
              <Done outcome={line} reload={reload} />
            </li>
          ) : (
            <li key={line.id}>
              {ticked && mayChange && rows.length > 1 && (
                <Checkbox
                  bare
                  label={`Choose ${line.name}`}
                  checked={ticks.includes(line.id)}
                  onChange={(on) => setTicks(on ? [...ticks, line.id] : ticks.filter((id) => id !== line.id))}
                />
              )}
              <Who stay={line} kind={kind} isTold={isTold} />
              {mayChange && (
                <ActButton
                  act={act(line, today)}
                  busy={busy.includes(line.id)}
                  onPress={(work) => void run([line.id], () => work({ list: kind, index: shown.indexOf(line) }))}
                >
                  {action}
                </ActButton>
              )}
              <DoneTo id={line.id} outcomes={outcomes} reload={reload} />
            </li>
          ),
        )}
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

/** What was done to guests who are gone from the list stands where they were. */
function linesOf(shown: readonly StayOfToday[], outcomes: readonly Outcome[]): readonly (StayOfToday | Outcome)[] {
  const gone = outcomes.filter(({ ids, place }) => place && shown.every(({ id }) => !ids.includes(id)))
  const lines: (StayOfToday | Outcome)[] = [...shown]
  for (const outcome of gone) lines.splice(outcome.place?.index ?? 0, 0, outcome)
  return lines
}

const Who = ({ stay, kind, isTold }: { stay: StayOfToday; kind: StayKind; isTold: boolean }) => (
  <>
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
      <span className={styles.nights}>
        {[lengthOf(stay, kind), isTold && sourceOf(stay)].filter(Boolean).join(' · ')}
      </span>
    </span>
  </>
)

interface ActButtonProps {
  act: ((place: Place) => Promise<unknown>) | undefined
  busy: boolean
  onPress: (act: (place: Place) => Promise<unknown>) => void
  children: string
}

const ActButton = ({ act, busy, onPress, children }: ActButtonProps) =>
  act && (
    <Button busy={busy} onClick={() => onPress(act)}>
      {children}
    </Button>
  )

interface DoneProps {
  outcome: Outcome
  reload: () => Promise<unknown>
}

function Done({ outcome, reload }: DoneProps) {
  const [first, ...others] = outcome.ids
  const isCheckIn = outcome.act === 'check_in' && first !== undefined && others.length === 0
  return (
    <OutcomeLine outcome={outcome} onChanged={reload}>
      {isCheckIn && <PrintSlip id={first} />}
    </OutcomeLine>
  )
}

function DoneTo({
  id,
  outcomes,
  reload,
}: {
  id: number
  outcomes: readonly Outcome[]
  reload: () => Promise<unknown>
}) {
  const outcome = outcomeOf(outcomes, id)
  return outcome && <Done outcome={outcome} reload={reload} />
}

function lengthOf({ nights, departs_on }: StayOfToday, kind: StayKind): string {
  if (kind === 'overdue' && departs_on !== null) return `since ${dayOf(departs_on)}`
  if (nights === null || nights > nights_shown_max) return departs_on === null ? '' : `until ${dayOf(departs_on)}`
  return nights === 0 ? 'day use' : nightsOf(nights)
}

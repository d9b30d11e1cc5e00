// Stays: who is overdue, arrives, leaves and is in house, in a tab each, with one action a guest; several can be ticked, and those of
// a group at once. What was just done stands in the guest's row, or where the row was, and can be taken back.
import { useState } from 'react'
import { addDays } from '#contract/days.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { stayWords, type StayKind } from '#contract/room-guests.ts'
import type { StayOfToday, Today } from '#contract/today.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import {
  checkIn,
  checkOut,
  extend,
  outcomeOf,
  reinstate,
  useOutcomes,
  type Outcome,
  type Place,
} from '#web/stays/acts.ts'
import { OutcomeLine } from '#web/stays/outcome.tsx'
import { sourceOf } from '#web/stays/source.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { IconName } from '#web/ui/icons.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { PrintCards } from './instructions.tsx'
import { nightsOf } from './stay-actions.tsx'
import styles from './today.module.css'

/** Longer stays are leases, for which the end date is shown instead. */
const nights_shown_max = 60
/** As many as fit above the fold of a desk's screen. */
const shown_first = 8
/** So many of one name are offered as a group. */
const group_min = 2
const open_key = 'foyer-desk-tab'

type ListKind = StayKind | 'no_shows'
type Act = (place: Place) => Promise<unknown>

/** What is done to those who are ticked. */
interface Ticked {
  icon: IconName
  /** `Check in 60` */
  action: string
  act: (stays: readonly StayOfToday[], place: Place) => Promise<unknown>
}

interface Kind {
  title: string
  none: string
  action: string
  /** Undefined where it makes no sense for this guest. */
  act: (stay: StayOfToday, today: string) => Act | undefined
  ticked?: Ticked
}

const out: Pick<Kind, 'action' | 'act' | 'ticked'> = {
  action: 'Check out',
  act: (stay) => (place) => checkOut([stay], place),
  ticked: { icon: 'checkOut', action: 'Check out', act: checkOut },
}

const kinds: Record<ListKind, Kind> = {
  overdue: { title: stayWords.overdue, none: 'Nobody is overdue.', ...out },
  arriving: {
    title: stayWords.arriving,
    none: 'Nobody is expected.',
    action: 'Check in',
    act: (stay) => (place) => checkIn([stay], place),
    ticked: { icon: 'checkIn', action: 'Check in', act: checkIn },
  },
  leaving: { title: stayWords.leaving, none: 'Nobody leaves today.', ...out },
  in_house: {
    title: stayWords.in_house,
    none: 'Nobody is checked in.',
    action: 'A night more',
    // A stay without an end has no night more.
    act: ({ departs_on, ...stay }, today) =>
      departs_on === null ? undefined : (place) => extend({ ...stay, departs_on }, today, 1, place),
  },
  no_shows: {
    title: 'Did not come',
    none: '',
    action: 'Reinstate',
    act: (stay) => (place) => reinstate([stay], place),
  },
}

const order = ['overdue', 'arriving', 'leaving', 'in_house'] as const satisfies readonly StayKind[]
/** What there is to do first: the tab is chosen by the first of these with guests in it, unless somebody has chosen one. */
const urgency: readonly StayKind[] = ['leaving', 'arriving', 'overdue', 'in_house']

const isKind = (name: string | null): name is StayKind => order.some((kind) => kind === name)

/** The tab that was opened last in this tab of the browser. */
function useOpenTab(today: Today) {
  const [open, setOpen] = useState<StayKind>(() => {
    const kept = sessionStorage.getItem(open_key)
    return isKind(kept) ? kept : (urgency.find((kind) => today[kind].total > 0) ?? 'arriving')
  })
  const show = (name: string) => {
    if (!isKind(name)) return
    sessionStorage.setItem(open_key, name)
    setOpen(name)
  }
  return [open, show] as const
}

const countOf = ({ total, more }: Today[StayKind]) => (more ? `${wholeOf(total)}+` : wholeOf(total))

export function StaysOfToday({ today, reload }: { today: Today; reload: () => Promise<unknown> }) {
  const [open, show] = useOpenTab(today)
  const outcomes = useOutcomes()
  // Where no system tells of stays, all come from the desk.
  const isTold = order.some((kind) => today[kind].rows.some(({ source }) => source === 'system'))
  const list = (kind: ListKind) => (
    <Stays key={kind} kind={kind} stays={today[kind]} today={today.day} isTold={isTold} reload={reload} />
  )
  const hasNoShows = today.no_shows.total > 0 || outcomes.some(({ place }) => place?.list === 'no_shows')
  return (
    <Tabs
      label="Guests of the day"
      open={open}
      onOpen={show}
      tabs={order.map((kind) => ({
        name: kind,
        title: kinds[kind].title,
        count: countOf(today[kind]),
        alert: kind === 'overdue' && today.overdue.total > 0,
        body: () => (
          <div className={styles.lists}>
            {list(kind)}
            {kind === 'arriving' && hasNoShows && list('no_shows')}
          </div>
        ),
      }))}
    />
  )
}

/** Each row is busy on its own, until the list has been reloaded, so that the next guest need not wait for the last one. */
export function useActs(reload: () => Promise<unknown>) {
  const [busy, setBusy] = useState<readonly number[]>([])
  const run = async (ids: readonly number[], work: () => Promise<unknown>) => {
    setBusy((before) => [...before, ...ids])
    const done = await work().catch(notify.failure)
    // False: they cancelled, so there is nothing to reload.
    if (done !== false) await reload()
    setBusy((before) => before.filter((id) => !ids.includes(id)))
  }
  return { busy, run }
}

interface StaysProps {
  kind: ListKind
  stays: Today[ListKind]
  today: string
  isTold: boolean
  reload: () => Promise<unknown>
}

function Stays({ kind, stays: { total, more, rows }, today, isTold, reload }: StaysProps) {
  const mayChange = useMayCall(roomGuests.update)
  const [all, setAll] = useState(false)
  const [ticks, setTicks] = useState<readonly number[]>([])
  const { busy, run } = useActs(reload)
  const { title, none, action, act, ticked } = kinds[kind]
  const outcomes = useOutcomes().filter(({ place }) => place === undefined || place.list === kind)
  const shown = all ? rows : rows.slice(0, shown_first)
  const lines = linesOf(shown, outcomes)
  const ticking = ticked !== undefined && mayChange && rows.length > 1
  return (
    <section className={styles.list} aria-label={title}>
      <header>
        <h2 className={kind === 'no_shows' ? undefined : 'unseen'}>
          {title} <span>{more ? `${wholeOf(total)}+` : wholeOf(total)}</span>
        </h2>
        {ticking && (
          <Ticks
            ticked={ticked}
            rows={rows}
            isCut={total > rows.length}
            ticks={ticks}
            setTicks={setTicks}
            busy={busy}
            onPress={(chosen) =>
              void run(
                chosen.map(({ id }) => id),
                () => ticked.act(chosen, { list: kind, index: 0 }),
              )
            }
          />
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
              {ticking && (
                <Checkbox
                  bare
                  label={`Choose ${line.name}`}
                  checked={ticks.includes(line.id)}
                  onChange={(on) => setTicks(on ? [...ticks, line.id] : ticks.filter((id) => id !== line.id))}
                />
              )}
              <Who stay={line} facts={[lengthOf(line, kind, today), ...givenTo(line), isTold && sourceOf(line)]} />
              {mayChange && (
                <ActButton
                  act={act(line, today)}
                  whom={line.name}
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

interface TicksProps {
  ticked: Ticked
  rows: readonly StayOfToday[]
  /** There are more than these. */
  isCut: boolean
  ticks: readonly number[]
  setTicks: (ids: readonly number[]) => void
  busy: readonly number[]
  onPress: (chosen: readonly StayOfToday[]) => void
}

/** All, those of a group, and what is done to them. */
function Ticks({ ticked: { icon, action }, rows, isCut, ticks, setTicks, busy, onPress }: TicksProps) {
  const chosen = rows.filter(({ id }) => ticks.includes(id))
  const isBusy = chosen.some(({ id }) => busy.includes(id))
  const groups = [...Map.groupBy(rows, ({ group_name }) => group_name)].filter(
    (group): group is [string, StayOfToday[]] => group[0] !== null && group[1].length >= group_min,
  )
  return (
    <div className={styles.ticked}>
      <Checkbox
        label={isCut ? `The first ${rows.length}` : 'All'}
        checked={chosen.length === rows.length}
        partly={chosen.length > 0 && chosen.length < rows.length}
        onChange={(on) => setTicks(on ? rows.map(({ id }) => id) : [])}
      />
      {groups.map(([name, some]) => {
        const left = some.filter(({ id }) => !ticks.includes(id))
        return (
          <Checkbox
            key={name}
            label={`${name} (${some.length})`}
            checked={left.length === 0}
            partly={left.length > 0 && left.length < some.length}
            onChange={(on) =>
              setTicks(
                on ? [...ticks, ...left.map(({ id }) => id)] : ticks.filter((id) => some.every((one) => one.id !== id)),
              )
            }
          />
        )
      })}
      {chosen.length > 0 && (
        <Button kind="primary" icon={icon} busy={isBusy} onClick={() => onPress(chosen)}>
          {`${action} ${chosen.length}`}
        </Button>
      )}
    </div>
  )
}

/** What was done to guests who are gone from the list stands where they were. */
function linesOf(shown: readonly StayOfToday[], outcomes: readonly Outcome[]): readonly (StayOfToday | Outcome)[] {
  const gone = outcomes.filter(({ ids, place }) => place && shown.every(({ id }) => !ids.includes(id)))
  const lines: (StayOfToday | Outcome)[] = [...shown]
  for (const outcome of gone) lines.splice(outcome.place?.index ?? 0, 0, outcome)
  return lines
}

type Fact = string | false | null

export const Who = ({ stay, facts }: { stay: StayOfToday; facts: readonly Fact[] }) => (
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
      {stay.note !== null && (
        <span className={styles.noted} title={stay.note}>
          {stay.note}
        </span>
      )}
      <span className={styles.nights}>{facts.filter(Boolean).join(' · ')}</span>
    </span>
  </>
)

interface ActButtonProps {
  act: Act | undefined
  /** The name of the guest, for those who hear the button alone. */
  whom: string
  busy: boolean
  onPress: (act: Act) => void
  children: string
}

/** Calm until the pointer or the focus is in its row: a wall of frames would be all that one sees. */
const ActButton = ({ act, whom, busy, onPress, children }: ActButtonProps) =>
  act && (
    <span className={styles.calm}>
      <Button busy={busy} label={`${children} ${whom}`} onClick={() => onPress(act)}>
        {children}
      </Button>
    </span>
  )

interface DoneProps {
  outcome: Outcome
  reload: () => Promise<unknown>
}

export const Done = ({ outcome, reload }: DoneProps) => (
  <OutcomeLine outcome={outcome} onChanged={reload}>
    {outcome.act === 'check_in' && <PrintCards ids={outcome.ids} />}
  </OutcomeLine>
)

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

const givenTo = ({ until_time, group_name }: StayOfToday): Fact[] => [until_time && `until ${until_time}`, group_name]

export function lengthOf({ nights, departs_on }: StayOfToday, kind: ListKind, today: string): string {
  if (kind === 'overdue' && departs_on !== null)
    return departs_on === addDays(today, -1) ? 'since yesterday' : `since ${dayOf(departs_on)}`
  if (nights === null || nights > nights_shown_max) return departs_on === null ? '' : `until ${dayOf(departs_on)}`
  return nights === 0 ? 'day use' : nightsOf(nights)
}

// Stays: whom the day has something to do for, in the first tab; then who is overdue, arrives, leaves and is in house, in a tab each.
// A row has what may be meant for its guest; several guests can be ticked, and those of a group at once. What was just done stands in
// the guest's row, or where the row was, and can be taken back.
import { useState } from 'react'
import * as roomGuests from '#contract/room-guests.ts'
import type { StayKind } from '#contract/room-guests.ts'
import type { StayOfToday, Today } from '#contract/today.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { useMayCall } from '#web/session/may.ts'
import { isAt, useOutcomes, type Outcome, type Place } from '#web/stays/acts.ts'
import { OutcomeLine } from '#web/stays/outcome.tsx'
import { sourceOf } from '#web/stays/source.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { say } from '#web/words/desk.ts'
import { PrintCards } from './instructions.tsx'
import { kinds, type ListKind } from './stay-lists.ts'
import { ActButton, givenTo, lengthOf, Who } from './stay-row.tsx'
import { Ticks } from './stay-ticks.tsx'
import styles from './today.module.css'

/** As many as fit above the fold of a desk's screen, in one list, and in the lists that share a tab. */
const shown_first = 8
const shown_together = 6

const order = ['overdue', 'arriving', 'leaving', 'in_house'] as const satisfies readonly StayKind[]
/** Of these the day has something to do: they share the first tab. */
const waiting = ['overdue', 'leaving', 'arriving'] as const satisfies readonly StayKind[]

/** The open tab is in the address: Back finds it again, and whoever opens Today begins with what there is to do. */
function useOpenTab() {
  const search = useScreenSearch()
  const pathname = useScreenPath()
  const asked = one(search['tab'])
  const show = (name: string) =>
    go(pathname + stringifySearch({ ...search, tab: name === to_do ? undefined : name }), { replace: true })
  return [order.find((kind) => kind === asked) ?? to_do, show] as const
}
const to_do = 'to_do'

const countOf = ({ total, more }: Today[StayKind]) => (more ? `${wholeOf(total)}+` : wholeOf(total))

export function StaysOfToday({ today, reload }: { today: Today; reload: () => Promise<unknown> }) {
  const [open, show] = useOpenTab()
  const outcomes = useOutcomes()
  // Where no system tells of stays, all come from the desk.
  const isTold = order.some((kind) => today[kind].rows.some(({ source }) => source === 'system'))
  const list = (kind: ListKind, share?: Share) => (
    <Stays key={kind} kind={kind} share={share} today={today} isTold={isTold} reload={reload} />
  )
  const holds = (kind: ListKind) => today[kind].total > 0 || outcomes.some(isAt(today.property.id, kind))
  const shares = sharesOf(waiting.map((kind) => today[kind].rows.length))
  // That nobody is overdue goes without saying.
  const together = waiting.flatMap((kind, index) =>
    kind !== 'overdue' || holds(kind) ? [list(kind, { rows: shares[index] ?? 0, onAll: () => show(kind) })] : [],
  )
  return (
    <Tabs
      label={say('day.guests')}
      open={open}
      onOpen={show}
      tabs={[
        { name: to_do, title: say('day.to-do'), body: () => <div className={styles.lists}>{together}</div> },
        ...order.map((kind) => ({
          name: kind,
          title: say(`day.${kind}`),
          count: countOf(today[kind]),
          alert: kind === 'overdue' && today.overdue.total > 0,
          body: () => (
            <div className={styles.lists}>
              {list(kind)}
              {kind === 'arriving' && holds('no_shows') && list('no_shows')}
            </div>
          ),
        })),
      ]}
    />
  )
}

/** How many rows of each list are shown in turn, until there is no more room or nobody left. */
export function sharesOf(lengths: readonly number[], room = shown_together): number[] {
  const shares = lengths.map(() => 0)
  for (let left = room, given = 1; left > 0 && given > 0;) {
    given = 0
    for (const [index, length] of lengths.entries())
      if (left > 0 && (shares[index] ?? 0) < length) {
        shares[index] = (shares[index] ?? 0) + 1
        left--
        given++
      }
  }
  return shares
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

/** What a list has of a tab that several share: the others of it stand in its own tab, where they can be ticked, too. */
interface Share {
  rows: number
  onAll: () => void
}

interface StaysProps {
  kind: ListKind
  share: Share | undefined
  today: Today
  isTold: boolean
  reload: () => Promise<unknown>
}

function Stays({ kind, share, today, isTold, reload }: StaysProps) {
  const { property, day } = today
  const { total, more, rows } = today[kind]
  const mayChange = useMayCall(roomGuests.update)
  const [all, setAll] = useState(false)
  const [ticks, setTicks] = useTypedState<readonly number[]>(`ticks ${kind}`, [])
  const { busy, run } = useActs(reload)
  const { acts, ticked } = kinds[kind]
  const title = say(`day.${kind}`)
  const isHere = isAt(property.id, kind)
  const outcomes = useOutcomes().filter((outcome) => outcome.place === undefined || isHere(outcome))
  const at = (index: number): Place => ({ property_id: property.id, list: kind, index })
  const shown = all ? rows : rows.slice(0, share?.rows ?? shown_first)
  const lines = linesOf(shown, outcomes)
  const ticking = ticked !== undefined && !share && mayChange && rows.length > 1
  return (
    <section className={styles.list} aria-label={title}>
      <header>
        <h2 className={kind === 'no_shows' || share ? undefined : 'unseen'}>
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
                () => ticked.act(chosen, at(0)),
              )
            }
          />
        )}
        {share && rows.length > shown.length && (
          <Button kind="quiet" label={say('day.show-all-of', { list: title })} onClick={share.onAll}>
            {say('day.show-all')}
          </Button>
        )}
      </header>
      {rows.length === 0 && kind !== 'no_shows' && <p className={styles.none}>{say(`day.none-${kind}`)}</p>}
      {lines.length > 0 && (
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
                    label={say('day.choose', { name: line.name })}
                    checked={ticks.includes(line.id)}
                    onChange={(on) => setTicks(on ? [...ticks, line.id] : ticks.filter((id) => id !== line.id))}
                  />
                )}
                <Who stay={line} facts={[lengthOf(line, kind, day), ...givenTo(line), isTold && sourceOf(line)]} />
                {mayChange && (
                  <span className={styles.rowActs}>
                    {acts.map(({ action, act }) => (
                      <ActButton
                        key={action}
                        act={act(line, day)}
                        whom={line.name}
                        busy={busy.includes(line.id)}
                        onPress={(work) => void run([line.id], () => work(at(shown.indexOf(line))))}
                      >
                        {say(action)}
                      </ActButton>
                    ))}
                  </span>
                )}
                <DoneTo id={line.id} outcomes={outcomes} reload={reload} />
              </li>
            ),
          )}
        </ul>
      )}
      {!share && rows.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {total > rows.length ? say('show-first', { count: rows.length }) : say('show-all', { count: total })}
        </Button>
      )}
      {all && total > rows.length && <p className={styles.none}>{say('day.find-others')}</p>}
    </section>
  )
}

/** What was done to several stands once, and what was done to guests who are gone from the list where they were. */
function linesOf(shown: readonly StayOfToday[], outcomes: readonly Outcome[]): readonly (StayOfToday | Outcome)[] {
  const ofNoRow = outcomes.filter(
    ({ ids, place }) => place && (ids.length > 1 || shown.every(({ id }) => !ids.includes(id))),
  )
  const lines: (StayOfToday | Outcome)[] = [...shown]
  for (const outcome of ofNoRow) lines.splice(outcome.place?.index ?? 0, 0, outcome)
  return lines
}

interface DoneProps {
  outcome: Outcome
  reload: () => Promise<unknown>
}

export const Done = ({ outcome, reload }: DoneProps) => (
  <OutcomeLine outcome={outcome} onChanged={reload}>
    {outcome.act === 'check_in' && <PrintCards ids={outcome.ids} after={outcome.sentence} />}
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
  const outcome = outcomes.find(({ ids }) => ids.length === 1 && ids.includes(id))
  return outcome && <Done outcome={outcome} reload={reload} />
}

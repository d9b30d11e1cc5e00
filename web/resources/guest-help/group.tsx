// Group: those who travel together, found by their name: checked in, given another departure and checked out in one act each.
import { useState } from 'react'
import { addDays } from '#contract/days.ts'
import type { Output } from '#contract/endpoint.ts'
import type { search } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { ofGroup } from '#contract/today.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useMayCall } from '#web/session/may.ts'
import { checkIn, checkOut, extendAll, isAt, useOutcomes } from '#web/stays/acts.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { PrintCards } from './instructions.tsx'
import { lengthOf, Who } from './stay-row.tsx'
import { Done, useActs } from './stays.tsx'
import styles from './today.module.css'

type Found = Output<typeof search>['groups'][number]
type Stay = Output<typeof ofGroup>['rows'][number]

const refresh_ms = 20_000
const shown_first = 10

interface GroupsProps {
  groups: readonly Found[]
  /** The name of the group that is open. */
  opened: string | undefined
  onOpen: (name: string | undefined) => void
  property_id: number
  onChanged: () => void
}

/** Each opens below its line. One that is open stays, with what was done, also once all of it have left. */
export function GroupsFound({ groups, opened, onOpen, property_id, onChanged }: GroupsProps) {
  const isLeft = opened !== undefined && groups.every(({ name }) => name !== opened)
  const shown = isLeft ? [...groups, { name: opened, guests: 0, expected: 0 }] : groups
  return shown.map(({ name, guests, expected }) => (
    <div key={name} className={styles.group}>
      <Button icon="team" expanded={opened === name} onClick={() => onOpen(opened === name ? undefined : name)}>
        {say('group.found', { name, guests, expected })}
      </Button>
      {opened === name && <Group name={name} property_id={property_id} onChanged={onChanged} />}
    </div>
  ))
}

function Group({ name, property_id, onChanged }: { name: string; property_id: number; onChanged: () => void }) {
  const mayChange = useMayCall(roomGuests.update)
  const ask = { property_id, group_name: name }
  const { data, error, refetch } = useLiveQuery(ofGroup, ask, {
    key: ['group', property_id, name],
    every_ms: refresh_ms,
  })
  const [all, setAll] = useState(false)
  const reload = async () => {
    onChanged()
    await refetch()
  }
  const { busy, run } = useActs(reload)
  const outcomes = useOutcomes().filter(isAt(property_id, name))
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={160} label={say('group.loading')} />
  const { rows, day, total } = data
  const shown = all ? rows : rows.slice(0, shown_first)
  const isBusy = busy.length > 0
  const act = (some: readonly Stay[], work: () => Promise<unknown>) => {
    if (!isBusy)
      void run(
        some.map(({ id }) => id),
        work,
      )
  }
  const place = { property_id, list: name, index: 0 }
  const coming = rows.filter(({ is_in }) => !is_in)
  const there = rows.filter(({ is_in }) => is_in)
  // A stay without an end has no night more.
  const leaving = there.flatMap(({ departs_on, ...stay }) => (departs_on === null ? [] : [{ ...stay, departs_on }]))
  // The group leaves when its last guests do; those who are overdue stay from today on.
  const last = leaving.reduce((latest, { departs_on }) => (departs_on > latest ? departs_on : latest), day)
  const later = addDays(last, 1)
  return (
    <section className={styles.list} aria-label={say('group.called', { name })}>
      {mayChange && (
        <div className={styles.ticked}>
          {coming.length > 0 && (
            <Button
              kind="primary"
              icon="checkIn"
              busy={isBusy}
              onClick={() => act(coming, () => checkIn(coming, place))}
            >
              {say('day.check-in-some', { count: coming.length })}
            </Button>
          )}
          {leaving.length > 0 && (
            <Button icon="add" busy={isBusy} onClick={() => act(leaving, () => extendAll(leaving, later, place))}>
              {say('group.night-more', { count: leaving.length })}
            </Button>
          )}
          {there.length > 0 && (
            <Button icon="checkOut" busy={isBusy} onClick={() => act(there, () => checkOut(there, place))}>
              {say('day.check-out-some', { count: there.length })}
            </Button>
          )}
          {rows.length > 0 && <PrintCards ids={rows.map(({ id }) => id)} />}
        </div>
      )}
      {outcomes.map((outcome) => (
        <Done key={outcome.ids.join(' ')} outcome={outcome} reload={reload} />
      ))}
      <ul>
        {shown.map((stay) => (
          <li key={stay.id}>
            <Who stay={stay} facts={[lengthOf(stay, 'in_house', day), !stay.is_in && say('day.expected')]} />
            {stay.is_in && <Icon name="check" size={16} />}
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {total > rows.length ? say('show-first', { count: rows.length }) : say('show-all', { count: total })}
        </Button>
      )}
    </section>
  )
}
